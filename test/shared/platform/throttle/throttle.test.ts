import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { purgeThrottleSlots } from '#shared/platform/throttle/purge-rate-limits.ts'
import {
  type AcquireResult,
  acquire,
  release,
  suspend,
  type ThrottleRate,
} from '#shared/platform/throttle/throttle.ts'

// The pause is far longer than the test, so no result depends on the machine's speed.
const buildRate = (given: Partial<ThrottleRate> = {}): ThrottleRate => ({
  subject: newId(),
  burst: 1,
  perSecond: 0.001,
  ...given,
})
const TIMEOUT_MS = 10_000

/** Moves the slots' times back, as if `ms` had passed: the throttle uses the database's clock. */
const letPass = (ms: number) =>
  db().raw(
    `update throttle_slots set free_at = free_at - ?::float8 * interval '1 ms',
       suspended_until = suspended_until - ?::float8 * interval '1 ms'`,
    [ms, ms],
  )

const slotOf = (result: AcquireResult): number | null => ('slot' in result ? result.slot : null)

test('of 20 concurrent calls at a burst of 3, three acquire a slot', async () => {
  const rate = buildRate({ burst: 3 })

  const results = await Promise.all(Array.from({ length: 20 }, () => acquire(rate, TIMEOUT_MS)))

  const slots = results.map(slotOf).filter((slot) => slot !== null)
  assert.deepEqual(slots.toSorted(), [0, 1, 2])
})

test('a slot pauses from the end of its call, not from the start', async () => {
  const rate = buildRate({ perSecond: 0.01 })
  assert.equal(slotOf(await acquire(rate, TIMEOUT_MS)), 0)
  await letPass(80_000)
  await release(rate, 0)

  await letPass(80_000)
  const early = await acquire(rate, TIMEOUT_MS)
  await letPass(21_000)
  const paused = await acquire(rate, TIMEOUT_MS)

  assert.ok('freeInMs' in early && early.freeInMs > 0 && early.freeInMs <= 20_000 && !early.isInUse)
  assert.equal(slotOf(paused), 0)
})

test('an unreleased slot is free after its call timed out', async () => {
  const rate = buildRate({ perSecond: 10 })
  await acquire(rate, TIMEOUT_MS)

  await letPass(TIMEOUT_MS - 1_000)
  const beforeTimeout = await acquire(rate, TIMEOUT_MS)
  await letPass(1_200)

  assert.ok('isInUse' in beforeTimeout && beforeTimeout.isInUse)
  assert.equal(slotOf(await acquire(rate, TIMEOUT_MS)), 0)
})

test('a suspended subject has no free slot until the suspension ends, even after a release', async () => {
  const rate = buildRate({ burst: 2, perSecond: 100 })
  await acquire(rate, TIMEOUT_MS)
  await suspend(rate, 60_000)
  await release(rate, 0)

  await letPass(59_000)
  assert.equal(slotOf(await acquire(rate, TIMEOUT_MS)), null)
  await letPass(1_100)

  const slots = [slotOf(await acquire(rate, TIMEOUT_MS)), slotOf(await acquire(rate, TIMEOUT_MS))]
  assert.deepEqual(slots.toSorted(), [0, 1])
})

test("a subject does not use another subject's slots", async () => {
  const [one, other] = [buildRate(), buildRate()]
  await acquire(one, TIMEOUT_MS)

  assert.equal(slotOf(await acquire(other, TIMEOUT_MS)), 0)
})

test('the purge deletes slots that are free since long', async () => {
  const rate = buildRate()
  await acquire(rate, TIMEOUT_MS)

  await letPass(4_000_000)
  await purgeThrottleSlots()

  const { rows } = await db().raw('select count(*)::int as count from throttle_slots')
  assert.deepEqual(rows, [{ count: 0 }])
  assert.equal(slotOf(await acquire(rate, TIMEOUT_MS)), 0)
})
