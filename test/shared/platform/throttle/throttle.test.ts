import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { purgeThrottleSlots, purgeThrottleSuspensions } from '#shared/platform/throttle/purge-rate-limits.ts'
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

/** Moves the times of slots and suspensions back, as if `ms` had passed: the throttle uses the database's clock. */
async function letPass(ms: number): Promise<void> {
  for (const [table, column] of [
    ['throttle_slots', 'free_at'],
    ['throttle_suspensions', 'suspended_until'],
  ] as const)
    await db().raw(`update ?? set ?? = ?? - ?::float8 * interval '1 ms'`, [table, column, column, ms])
}

const countRows = async (table: string): Promise<number> => Number((await db()(table).count())[0]?.count)

const slotOf = (result: AcquireResult): number | null => ('slot' in result ? result.slot : null)

test('three of 20 concurrent calls at a burst of 3 acquire a slot', async () => {
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

test('a suspended subject without slots has none until the longest suspension ends', async () => {
  const rate = buildRate({ burst: 2, perSecond: 100 })
  await suspend(rate, 60_000)
  await suspend(rate, 10_000)

  const suspended = await acquire(rate, TIMEOUT_MS)
  await letPass(60_100)

  assert.ok('freeInMs' in suspended && suspended.freeInMs > 50_000 && suspended.freeInMs <= 60_000)
  assert.ok(!suspended.isInUse)
  assert.equal(slotOf(await acquire(rate, TIMEOUT_MS)), 0)
})

test('a suspension stores one row, however many slots the subject has', async () => {
  const rate = buildRate({ burst: 10_000 })
  const before = await countRows('throttle_slots')

  for (let i = 0; i < 3; i++) await suspend(rate, 60_000)

  assert.equal(await countRows('throttle_slots'), before)
  const rows = await db()('throttle_suspensions').where('subject', sha256(rate.subject))
  assert.equal(rows.length, 1)
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

  assert.equal(await countRows('throttle_slots'), 0)
  assert.equal(slotOf(await acquire(rate, TIMEOUT_MS)), 0)
})

test('the purge deletes at most 5,000 slots in a statement', async () => {
  await letPass(4_000_000)
  while (await purgeThrottleSlots());
  await db().raw(
    `insert into throttle_slots (subject, slot, is_in_use, free_at)
     select '\\x00', n, false, clock_timestamp() - interval '1 hour' from generate_series(1, 12000) n`,
  )

  const left: number[] = []
  for (let isMore = true; isMore; left.push(await countRows('throttle_slots')))
    isMore = await purgeThrottleSlots()

  assert.deepEqual(left, [7_000, 2_000, 0])
})

test('the purge deletes ended suspensions and keeps the others', async () => {
  const [ended, running] = [buildRate(), buildRate()]
  await suspend(ended, 1_000)
  await suspend(running, 60_000)

  await letPass(2_000)
  await purgeThrottleSuspensions()

  const subjects = await db()('throttle_suspensions').pluck('subject')
  assert.ok(!subjects.some((subject) => subject.equals(sha256(ended.subject))))
  assert.ok(subjects.some((subject) => subject.equals(sha256(running.subject))))
})
