import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import '#test/support/database.ts'
import { PgBoss } from 'pg-boss'
import { directUrl } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { shareJobNotifications } from '#shared/platform/jobs/pg-boss-internals.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { HOUR_MS, inMs } from '#shared/platform/time/clock.ts'
import { setQueueTime } from '#test/sandbox/clock/queue-time.ts'
import { buildStore } from '#test/support/builders/store.ts'

/*
 * What shared/platform/jobs relies on beyond pg-boss's public API. A failure after an upgrade names the internal that
 * moved: adapt the named file, or keep the old version.
 */

const COLUMNS: Record<string, string[]> = {
  job: [
    ...['id', 'name', 'data', 'state', 'group_id', 'start_after', 'created_on', 'keep_until'],
    ...['started_on', 'heartbeat_on', 'blocked', 'retry_count', 'output'],
    ...['source_name', 'source_id', 'source_output', 'source_retry_count', 'source_created_on'],
  ],
  queue: ['name', 'active_count', 'failed_count'],
  version: ['version'],
}

test('pg-boss: start() listens by getDb().listen(), with the name of the queue as the notification', async (t) => {
  const store = await buildStore()
  const boss = new PgBoss({
    connectionString: directUrl(),
    migrate: false,
    supervise: false,
    schedule: false,
    useListenNotify: true,
  })
  boss.on('error', () => {})
  const notifications = shareJobNotifications(boss)
  await boss.start()
  t.after(() => boss.stop({ graceful: false }))
  const notified = once(notifications, publishEvents.queue, { signal: AbortSignal.timeout(10_000) })

  await inStore(store.id, (tx) => enqueue(tx, publishEvents, {}))

  await assert.doesNotReject(
    notified,
    'shareJobNotifications: pg-boss does not notify through getDb().listen. See shared/platform/jobs/pg-boss-internals.ts',
  )
})

for (const [table, columns] of Object.entries(COLUMNS))
  test(`pg-boss: the table pgboss.${table} has the columns that our SQL reads`, async () => {
    const found = await db()('information_schema.columns')
      .where({ table_schema: 'pgboss', table_name: table })
      .pluck<string[]>('column_name')

    assert.deepEqual(
      columns.filter((column) => !found.includes(column)),
      [],
      `pg-boss has changed pgboss.${table}; see the files of shared/platform/jobs that name it, and queue-time.ts in test/sandbox/clock`,
    )
  })

test('pg-boss: a job starts in the state "created"', async () => {
  const store = await buildStore()
  const id = await inStore(store.id, (tx) => enqueue(tx, publishEvents, {}))

  const job = await db()('pgboss.job').where({ id }).first('state')

  assert.equal(
    job.state,
    'created',
    'pg-boss names its states differently; see pending-jobs.ts and waiting-jobs.ts in shared/platform/jobs',
  )
})

test('pg-boss: all statements read the time through pgboss.job_now(), which the sandbox replaces', async (t) => {
  const store = await buildStore()
  const boss = await queues()
  const startAfter = inMs(HOUR_MS)
  const id = await inStore(store.id, (tx) => enqueue(tx, publishEvents, {}, { startAfter }))
  const fetchAll = () => boss.fetch(publishEvents.queue, { batchSize: 1_000, includeMetadata: true })
  const early = await fetchAll()
  t.after(() => setQueueTime(db(), 0))

  await setQueueTime(db(), 2 * HOUR_MS)
  const fetched = (await fetchAll()).find((job) => job.id === id)

  const see = 'pg-boss no longer reads the time through one function; see test/sandbox/clock/queue-time.ts'
  assert.ok(!early.some((job) => job.id === id), see)
  assert.ok(fetched && fetched.startedOn > startAfter, see)
})

test('pg-boss: previewSchedule() works without a scheduler', async () => {
  const boss = await queues()
  const from = new Date('2026-01-31T03:00:00Z')

  assert.deepEqual(boss.previewSchedule('20 3 * * *', { tz: 'UTC', from, count: 1 }), [
    new Date('2026-01-31T03:20:00Z'),
  ])
})
