import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { allJobs } from '#shared/all-jobs.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { recoverDeliveries } from '#shared/webhooks/jobs.ts'
import { syncSchedules } from '#workers/platform/sync-schedules.ts'
import { schedules } from '#workers/schedules.ts'

test('syncSchedules adds listed schedules and removes others', async () => {
  const boss = await queues()
  await syncSchedules(boss, schedules)

  await syncSchedules(boss, [{ cron: '*/5 * * * *', job: recoverDeliveries }])

  const kept = await boss.getSchedules()
  assert.deepEqual(
    kept.map(({ name, cron }) => ({ name, cron })),
    [{ name: recoverDeliveries.queue, cron: '*/5 * * * *' }],
  )
})

test('every schedule starts a declared job', () => {
  for (const { job } of schedules) assert.ok(allJobs.includes(job), job.queue)
})
