import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { allJobs } from '#shared/all-jobs.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { DEAD_LETTERS } from '#shared/platform/jobs/define-job.ts'
import { JOB_TABLE } from '#shared/platform/jobs/job-table.ts'
import { withoutPendingJob } from '#shared/platform/jobs/pending-jobs.ts'
import { readQueues } from '#shared/platform/jobs/queue-status.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { findDueQueues } from '#shared/platform/jobs/waiting-jobs.ts'
import { chargeSubscription } from '#shared/subscriptions/jobs.ts'
import { superuser } from '#test/support/database.ts'
import { leastMs, longestTurn, MAX_BLOCKED_MS } from '#test/support/measure/thread-cpu.ts'

const { queue } = chargeSubscription
const JOBS = 50_000
const LETTERS = 20_000
const STORES = 100

before(async () => {
  await queues()
  await superuser.query(
    `with stores as (select n, gen_random_uuid() as id from generate_series(1, $3) n)
     insert into pgboss.job (name, data, group_id, keep_until, created_on)
     select $1, jsonb_build_object('subscriptionId', gen_random_uuid(), 'storeId', s.id), s.id, now() + interval '1 day',
       now() - job.n * interval '1 millisecond'
     from generate_series(1, $2) job (n) join stores s on s.n = 1 + job.n % $3`,
    [queue, JOBS, STORES],
  )
  await superuser.query(
    `insert into pgboss.job (name, data, source_name, source_id, source_created_on, source_retry_count, keep_until)
     select $1, '{}', $2, gen_random_uuid(), now(), 8, now() + interval '1 day' from generate_series(1, $3)`,
    [DEAD_LETTERS, queue, LETTERS],
  )
  await superuser.query('analyze pgboss.job')
})

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** The time of one scan of all jobs, with which the others are compared on any machine. */
const scanMs = () =>
  leastMs(() =>
    timeOf(async () => db().raw(`select count(*) from ${JOB_TABLE} where not blocked and data is not null`)),
  )

test('the list of queues reads the dead letters once, not once for each queue', async () => {
  const scan = await scanMs()

  const list = await leastMs(() => timeOf(readQueues))

  assert.ok(list < 20 * scan, `${list} ms, a scan of all jobs takes ${scan} ms`)
  const figures = (await readQueues()).find(({ name }) => name === queue)
  assert.equal(figures?.ready, JOBS)
  assert.equal(figures.deadLetters, LETTERS)
})

test('the look for due queues does not read the backlog of a queue', async () => {
  const names = allJobs.map((job) => job.queue)
  const scan = await scanMs()

  const look = await leastMs(() => timeOf(() => findDueQueues(names)))

  assert.ok(look < scan / 2, `${look} ms, a scan of all jobs takes ${scan} ms`)
  assert.deepEqual(await findDueQueues(names), [queue])
})

test('a comparison with a long backlog blocks no other jobs of the process', async () => {
  const { rows } = await db().raw(`select data from ${JOB_TABLE} where name = ? order by id`, [queue])
  const waiting = rows.map(({ data }: { data: object }) => data)
  const [first, second] = [1, 2].map(() => ({ storeId: newId(), subscriptionId: newId() }))
  const payloads = [second, ...waiting.slice(0, 5_000), first, second]

  const turn = await longestTurn(() => withoutPendingJob(queue, payloads))

  assert.ok(turn <= MAX_BLOCKED_MS, `one turn took ${turn} ms`)
  assert.deepEqual(await withoutPendingJob(queue, payloads), [second, first])
})
