import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { consumeQuota } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { runScheduled } from '#test/support/processes/jobs.ts'
import { purgeRateLimits } from '#workers/rate-limits/purge-rate-limits.ts'

test('ended windows of quotas are deleted, and running ones are kept', async () => {
  stopClock()
  await consumeQuota('ends first', { limit: 5 })
  await consumeQuota('ends later', { limit: 5, windowMs: HOUR_MS })
  moveClock(MINUTE_MS + 1_000)

  await runScheduled(purgeRateLimits)

  const left = await db()('rate_limits').pluck<Date[]>('ends_at')
  assert.ok(left.length > 0)
  assert.ok(left.every((endsAt) => endsAt > now()))
})
