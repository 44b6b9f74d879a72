import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { purgeThrottleSlots } from '#shared/platform/throttle/purge-rate-limits.ts'
import {
  type Acquisition,
  acquire,
  release,
  suspend,
  type ThrottleRate,
} from '#shared/platform/throttle/throttle.ts'

// A rest far longer than the test: nothing here depends on how fast it runs.
const paceOf = (given: Partial<ThrottleRate> = {}): ThrottleRate => ({
  subject: newId(),
  burst: 1,
  perSecond: 0.001,
  ...given,
})
const LONGEST_MS = 10_000

/** So much time passes for the lanes: their clock is the database's. */
const letPass = (ms: number) =>
  db().raw(
    `update rate_lanes set free_at = free_at - ?::float8 * interval '1 ms',
       closed_until = closed_until - ?::float8 * interval '1 ms'`,
    [ms, ms],
  )

const laneOf = (taken: Acquisition): number | null => ('lane' in taken ? taken.lane : null)

test('as many calls as the burst allows are let in at once, and no more', async () => {
  const pace = paceOf({ burst: 3 })

  const taken = await Promise.all(Array.from({ length: 20 }, () => acquire(pace, LONGEST_MS)))

  const lanes = taken.map(laneOf).filter((lane) => lane !== null)
  assert.deepEqual(lanes.toSorted(), [0, 1, 2])
})

test('a lane rests from the end of its call, not from its beginning', async () => {
  const pace = paceOf({ perSecond: 0.1 })
  assert.equal(laneOf(await acquire(pace, LONGEST_MS)), 0)
  await letPass(9_000)
  await release(pace, 0)

  await letPass(9_000)
  const early = await acquire(pace, LONGEST_MS)
  await letPass(1_100)
  const rested = await acquire(pace, LONGEST_MS)

  assert.ok('freeInMs' in early && early.freeInMs > 0 && early.freeInMs <= 1_000 && !early.isInUse)
  assert.equal(laneOf(rested), 0)
})

test('a lane whose process died is free again when the call cannot be under way any more', async () => {
  const pace = paceOf({ perSecond: 10 })
  await acquire(pace, LONGEST_MS)

  await letPass(LONGEST_MS - 1_000)
  const held = await acquire(pace, LONGEST_MS)
  await letPass(1_200)

  assert.ok('isInUse' in held && held.isInUse)
  assert.equal(laneOf(await acquire(pace, LONGEST_MS)), 0)
})

test('what the other side closed stays closed, also for calls that were under way', async () => {
  const pace = paceOf({ burst: 2, perSecond: 100 })
  await acquire(pace, LONGEST_MS)
  await suspend(pace, 60_000)
  await release(pace, 0)

  await letPass(59_000)
  assert.equal(laneOf(await acquire(pace, LONGEST_MS)), null)
  await letPass(1_100)

  assert.deepEqual(
    [laneOf(await acquire(pace, LONGEST_MS)), laneOf(await acquire(pace, LONGEST_MS))].toSorted(),
    [0, 1],
  )
})

test('subjects have lanes of their own, and lanes that have rested are forgotten', async () => {
  const [one, other] = [paceOf(), paceOf()]
  await acquire(one, LONGEST_MS)
  assert.equal(laneOf(await acquire(other, LONGEST_MS)), 0)

  await letPass(4_000_000)
  await purgeThrottleSlots()

  const { rows } = await db().raw('select count(*)::int as count from rate_lanes')
  assert.deepEqual(rows, [{ count: 0 }])
  assert.equal(laneOf(await acquire(one, LONGEST_MS)), 0)
})
