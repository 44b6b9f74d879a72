import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { allJobs } from '#shared/all-jobs.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { readQueueDepths } from '#shared/platform/jobs/read-queue-depths.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { HOUR_MS, inMs } from '#shared/platform/time/clock.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { freePort } from '#test/sandbox/start/ports.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { planOf } from '#test/support/measure/plan-of.ts'
import { discardJobs } from '#test/support/processes/jobs.ts'
import { startWebProcess } from '#test/support/processes/web-process.ts'
import { startWorkerProcess } from '#test/support/processes/worker-process.ts'

/** The README's metrics by process. */
async function namedInReadme(): Promise<Record<string, string[]>> {
  const rows = (await readFile('README.md', 'utf8')).matchAll(
    /^\| `([a-z_]+)(?:\{[a-z,]+\})?` \| (web|worker|web, worker) \|/gm,
  )
  const named: Record<string, string[]> = { web: [], worker: [] }
  for (const [, name = '', processes = ''] of rows)
    for (const one of processes.split(', ')) named[one]?.push(name)
  return named
}

const scrape = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

/** The names of the service's own metrics, without those of prom-client itself. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\w+) /gm)]
    .map(([, name]) => name ?? '')
    .filter((name) => !/^(process|nodejs)_/.test(name))

test('web and worker serve exactly the metrics that the README names, each with a value', async (t) => {
  const [web, worker] = [await freePort(0), await freePort(0)]
  const url = await startWebProcess({ METRICS_PORT: String(web) }, t)
  await startWorkerProcess(t, { METRICS_PORT: String(worker) })
  await fetch(`${url}/api/v1/openapi.json`)
  const readme = await namedInReadme()

  const texts = { web: await scrape(web), worker: await scrape(worker) }

  assert.ok((readme.web?.length ?? 0) > 5)
  for (const [name, text] of Object.entries(texts)) {
    assert.deepEqual(namesIn(text).toSorted(), readme[name]?.toSorted(), name)
    for (const metric of ['queue_jobs', 'queue_oldest_ready_seconds', 'database_pool_connections'])
      assert.match(text, new RegExp(`^${metric}\\{.+\\} \\d`, 'm'), `${name}: ${metric}`)
  }
  assert.match(texts.worker, /^jobs_running\{queue="send-refund"\} 0$/m)
  assert.match(texts.worker, /^webhook_deliveries_total\{status="exhausted"\} 0$/m)
  assert.match(texts.web, /^http_request_seconds_count\{.+\} \d/m)
  assert.match(texts.web, /^http_requests_total\{.*status="200".*\} \d/m)
  assert.equal((await fetch(`${url}/metrics`)).status, 404)
  assert.equal((await fetch(`http://127.0.0.1:${web}/health/ready`)).status, 404)
})

const depthOf = async (queue: string) => (await readQueueDepths()).find((depth) => depth.queue === queue)

test('the depth of a queue counts due and deferred jobs and dead letters, and has the age of the oldest', async () => {
  await discardJobs()
  const store = await buildStore()
  const send = (startAfter?: Date) =>
    inStore(store.id, (tx) =>
      enqueue(tx, sendRefund, { refundId: store.id }, startAfter ? { startAfter } : {}),
    )
  const dead = await send()
  await superuser.query('update pgboss.job set retry_limit = 0 where id = $1', [dead])
  const boss = await queues()
  await boss.fetch(sendRefund.queue)
  await boss.fail(sendRefund.queue, dead, { message: 'no answer' })
  await send()
  await send(inMs(HOUR_MS))
  await superuser.query(
    "update pgboss.job set start_after = now() - interval '90 seconds' where name = $1 and start_after <= now()",
    [sendRefund.queue],
  )

  const depth = await depthOf(sendRefund.queue)

  assert.partialDeepStrictEqual(depth, { ready: 1, deferred: 1, dead_letter: 1 })
  assert.ok((depth?.oldest_seconds ?? 0) >= 90, `${depth?.oldest_seconds} s`)
  assert.equal((await readQueueDepths()).length, allJobs.length)
})

test('the waiting jobs are counted in an index, not among those that have ended', async (t) => {
  const asked: string[] = []
  const onQuery = ({ sql }: { sql: string }) => asked.push(sql)
  db().on('query', onQuery)
  t.after(() => db().off('query', onQuery))
  await readQueueDepths()
  const [sql = ''] = asked

  const plan = await db().transaction(async (knex) => {
    await knex.raw('set local enable_seqscan = off')
    return planOf(knex, sql, { bindings: ['dead-letters', 'dead-letters'] })
  })

  assert.doesNotMatch(plan, /Seq Scan on job/)
  assert.match(plan, /Index (Only )?Scan using job_\w*i11/)
})
