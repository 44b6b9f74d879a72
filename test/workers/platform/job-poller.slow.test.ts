import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import '#test/support/database.ts'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { Type } from 'typebox'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { defineJob, type QueueRules } from '#shared/platform/jobs/define-job.ts'
import { enqueue, enqueueAll } from '#shared/platform/jobs/enqueue.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { runWorker } from '#test/support/processes/worker.ts'
import { until } from '#test/support/races/until.ts'
import { handle, type JobRun } from '#workers/platform/handle.ts'

let count = 0

/** A kind of job with a queue of its own. */
async function buildJob(rules: Partial<QueueRules> = {}) {
  const job = defineJob(`test-${++count}`, { n: Type.Integer() }, rules)
  await (await queues()).createQueue(job.queue, {
    notify: true,
    retryLimit: job.rules.retries,
    heartbeatSeconds: 15,
  })
  return job
}

type TestJob = Awaited<ReturnType<typeof buildJob>>

const send = (store: BuiltStore, job: TestJob, ...numbers: number[]) =>
  inStore(store.id, (tx) =>
    enqueueAll(
      tx,
      job,
      numbers.map((n) => ({ payload: { n } })),
    ),
  )

/** A worker that notes what it does; `hold` keeps a job until its release. */
async function watchWorker(
  t: TestContext,
  job: TestJob,
  work: (n: number, run: JobRun) => Promise<unknown> = async () => {},
) {
  const begun: number[] = []
  const changed: (() => void)[] = []
  const worker = await runWorker(t, [
    handle(job, async ({ n }, run) => {
      begun.push(n)
      for (const tell of changed.splice(0)) tell()
      await work(n, run)
    }),
  ])
  const until = async (isReached: () => boolean) => {
    while (!isReached()) await new Promise<void>((resolve) => changed.push(resolve))
  }
  return { ...worker, begun, until }
}

const stateOf = async (job: TestJob) => {
  const { rows } = await db().raw(
    'select state, retry_count, output from pgboss.job where name = ? order by id',
    [job.queue],
  )
  return rows
}

test('the commit of a change wakes the worker, which starts its job', async (t) => {
  const store = await buildStore()
  const job = await buildJob()
  const { begun, until, stop } = await watchWorker(t, job)

  await inStore(store.id, (tx) => enqueue(tx, job, { n: 1 }))
  await until(() => begun.length === 1)
  await stop()

  assert.deepEqual(
    (await stateOf(job)).map(({ state }: { state: string }) => state),
    ['completed'],
  )
})

test('a job that hangs does not block other jobs of the queue', async (t) => {
  const store = await buildStore()
  const job = await buildJob({ concurrency: 3, perStore: 3 })
  const release = Promise.withResolvers<void>()
  const { begun, until } = await watchWorker(t, job, async (n) => (n === 0 ? release.promise : undefined))

  await send(store, job, ...Array.from({ length: 40 }, (_, n) => n))
  await until(() => begun.length === 40)

  release.resolve()
  assert.equal(new Set(begun).size, 40)
})

test("one store uses its share of a queue's concurrency, another store the rest", async (t) => {
  const [busy, other] = [await buildStore(), await buildStore()]
  const job = await buildJob({ concurrency: 4, perStore: 2 })
  const release = Promise.withResolvers<void>()
  const { begun, until } = await watchWorker(t, job, async (n) => (n < 100 ? release.promise : undefined))
  await send(busy, job, 1, 2, 3, 4, 5, 6)
  await until(() => begun.length === 2)

  await send(other, job, 101, 102, 103)
  await until(() => begun.length === 5)

  assert.deepEqual(begun.filter((n) => n < 100).length, 2)
  release.resolve()
  await until(() => begun.length === 9)
})

test('a job does not wait for 10,000 jobs of another store', async (t) => {
  const [busy, other] = [await buildStore(), await buildStore()]
  const job = await buildJob({ concurrency: 4, perStore: 1 })
  const release = Promise.withResolvers<void>()
  await send(busy, job, ...Array.from({ length: 10_000 }, (_, n) => n))
  const { begun, until, stop } = await watchWorker(t, job, async (n) =>
    n < 10_000 ? release.promise : undefined,
  )
  await until(() => begun.length === 1)

  await send(other, job, 10_001)
  await until(() => begun.includes(10_001))

  assert.equal(begun.length, 2)
  release.resolve()
  await stop()
})

test('a job that ends neither in its time nor at its signal is aborted and retried', async (t) => {
  const store = await buildStore()
  const job = await buildJob({ retries: 1, retryDelaySeconds: 0, expireInSeconds: 1 })
  const reasons: Error[] = []
  const { begun, until, stop } = await watchWorker(t, job, async (_, { retry, signal }) => {
    if (retry > 0) return
    signal.addEventListener('abort', () => reasons.push(signal.reason))
    await new Promise(() => {})
  })

  await send(store, job, 1)
  await until(() => begun.length === 2)
  await stop()

  assert.equal(reasons[0]?.name, 'TimeoutError')
  assert.partialDeepStrictEqual(await stateOf(job), [{ state: 'completed', retry_count: 1 }])
})

test('a failed job is retried and does not affect the jobs fetched with it', async (t) => {
  const store = await buildStore()
  const job = await buildJob({ retries: 1, retryDelaySeconds: 0 })
  const { begun, until, stop } = await watchWorker(t, job, async (n, { retry }) => {
    if (n === 2 && retry === 0) throw new Error(`not\u0000 today${'😀'.repeat(1_000)}`)
  })

  await send(store, job, 1, 2, 3)
  await until(() => begun.length === 4)
  await stop()

  const rows = await stateOf(job)
  assert.deepEqual(
    rows.map(({ state }: { state: string }) => state),
    ['completed', 'completed', 'completed'],
  )
  assert.deepEqual(begun.sort(), [1, 2, 2, 3])
})

test('a stopping worker fetches no jobs and returns those that exceed the time limit', async (t) => {
  const store = await buildStore()
  const job = await buildJob({ concurrency: 1, retryDelaySeconds: 0 })
  const { begun, until, stop } = await watchWorker(t, job, (_n, { signal }) => once(signal))
  await send(store, job, 1, 2)
  await until(() => begun.length === 1)

  await stop(10)

  const rows = await stateOf(job)
  assert.deepEqual(rows.map(({ state }: { state: string }) => state).sort(), ['created', 'retry'])
})

const once = (signal: AbortSignal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

test('a delayed job starts when it is due', async (t) => {
  const store = await buildStore()
  const job = await buildJob()
  const startAfter = new Date(Date.now() + 500)
  const { begun, until } = await watchWorker(t, job)

  await inStore(store.id, (tx) => enqueue(tx, job, { n: 1 }, { startAfter }))
  await until(() => begun.length === 1)

  assert.ok(Date.now() >= startAfter.getTime())
})

test('an idle queue is not fetched from; one statement looks for due jobs in all queues', async (t) => {
  const fetched = t.mock.method(PgBoss.prototype, 'fetch')
  const sent = t.mock.method(pg.Client.prototype, 'query')
  const jobs = [await buildJob(), await buildJob(), await buildJob()]
  const searches = () => sent.mock.calls.filter(({ arguments: [query] }) => isSearchForDueJobs(query)).length
  await runWorker(
    t,
    jobs.map((job) => handle(job, async () => {})),
  )

  await until('due jobs were looked for twice', async () => searches() >= 2)

  assert.deepEqual({ fetched: fetched.mock.callCount(), searches: searches() }, { fetched: 3, searches: 2 })
})

const isSearchForDueJobs = (query: unknown) =>
  ((query as { text?: string }).text ?? '').includes('unnest($1::text[]) queue')

for (const [stores, rules] of [
  [1, { concurrency: 640, perStore: 32 }],
  [3, { concurrency: 640, perStore: 32 }],
  [3, { concurrency: 8, perStore: 2 }],
] as const)
  test(`backlogs of ${stores} stores, whose jobs fail at once, do not hide the job of another store (${rules.concurrency} at a time)`, async (t) => {
    const other = await buildStore()
    const job = await buildJob(rules)
    const { begun, until } = await watchWorker(t, job, async (n) => {
      if (n > 0) throw new Error('poison')
    })

    for (let store = 0; store < stores; store += 1)
      await send(await buildStore(), job, ...Array.from({ length: 2_000 }, (_, n) => n + 1))
    await until(() => begun.length > 100)
    await send(other, job, 0)
    const before = begun.length
    await until(() => begun.includes(0))

    assert.ok(begun.indexOf(0) < before + 300, `${begun.indexOf(0) - before} jobs began before`)
  })
