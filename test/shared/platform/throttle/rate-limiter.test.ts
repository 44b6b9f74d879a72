import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { purgeQuotaWindows } from '#shared/platform/throttle/purge-rate-limits.ts'
import { consumeQuota } from '#shared/platform/throttle/quota.ts'
import { type RateLimit, rateLimiter } from '#shared/platform/throttle/rate-limiter.ts'
import { inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { freezeClock } from '#test/support/clock.ts'

let subjects = 0
const quota = (given: Partial<RateLimit> = {}): RateLimit => ({
  subject: `subject ${++subjects}`,
  perMinute: 5,
  slice: 1,
  ...given,
})

type Count = ReturnType<typeof rateLimiter>

/** How many of so many requests at once pass, spread over processes. */
async function passing(processes: Count[], asked: RateLimit, requests: number): Promise<number> {
  const tallies = await Promise.all(
    Array.from({ length: requests }, (_, i) => processes[i % processes.length]?.(asked)),
  )
  return tallies.filter((tally) => tally?.isWithin).length
}

/** What a process that counts for itself would take. */
function takeAlone(): typeof consumeQuota {
  let used = 0
  return async (_subject, perMinute, units) => {
    const granted = Math.min(units, perMinute - used)
    used += granted
    return { granted, left: perMinute - used, endsAt: inMs(MINUTE_MS) }
  }
}

test('of many requests at once to two processes, exactly the limit pass', async () => {
  const processes = [rateLimiter(consumeQuota), rateLimiter(consumeQuota)]

  assert.equal(await passing(processes, quota(), 40), 5)
})

test('control: processes that count for themselves let twice as many pass', async () => {
  const processes = [rateLimiter(takeAlone()), rateLimiter(takeAlone())]

  assert.equal(await passing(processes, quota(), 40), 10)
})

test('in slices never more than the limit pass, and at most what others hold fewer', async () => {
  const [perMinute, slice, count] = [100, 10, 4]
  for (let round = 0; round < 10; round++) {
    const processes = Array.from({ length: count }, () => rateLimiter(consumeQuota))
    const asked = quota({ perMinute, slice })
    // Each process takes a slice for one request; then all the rest comes to one of them.
    const first = await passing(processes, asked, count)
    const rest = await passing(processes.slice(0, 1), asked, 200)

    assert.equal(first, count)
    assert.equal(first + rest, perMinute - (count - 1) * (slice - 1))
    const late = await passing(processes, asked, 200)
    assert.equal(first + rest + late, perMinute)
  }
})

test('a slice costs one round trip, and so does all that comes after the last unit', async () => {
  let trips = 0
  const count = rateLimiter((...asked) => {
    trips += 1
    return consumeQuota(...asked)
  })
  const asked = quota({ perMinute: 100, slice: 10 })

  for (let i = 0; i < 100; i++) await count(asked)
  assert.equal(trips, 10)
  for (let i = 0; i < 100; i++) await count(asked)
  assert.equal(trips, 10)
})

test('a minute after its first request a subject has all its units again', async () => {
  const start = now()
  const at = (seconds: number) => freezeClock(new Date(start.getTime() + seconds * 1_000))
  const [count, asked] = [rateLimiter(consumeQuota), quota({ perMinute: 2 })]
  at(0)
  assert.deepEqual(await count(asked), { isWithin: true, left: 1, seconds: 60 })
  at(30)
  assert.deepEqual(await count(asked), { isWithin: true, left: 0, seconds: 30 })
  at(59)
  assert.deepEqual(await count(asked), { isWithin: false, left: 0, seconds: 1 })
  at(60)
  assert.deepEqual(await count(asked), { isWithin: true, left: 1, seconds: 60 })
})

test('a limit that was lowered meanwhile holds at once', async () => {
  const subject = quota().subject
  const count = (perMinute: number) => rateLimiter(consumeQuota)({ subject, perMinute, slice: 1 })
  for (let i = 0; i < 4; i++) await count(5)

  assert.equal((await count(3)).isWithin, false)
  assert.deepEqual((await count(5)).isWithin, true)
})

test('subjects do not count against each other, nor can they be read', async () => {
  const count = rateLimiter(consumeQuota)
  const [one, other] = [quota({ perMinute: 1 }), quota({ perMinute: 1 })]

  assert.deepEqual([(await count(one)).isWithin, (await count(other)).isWithin], [true, true])
  const rows = await db()('rate_limits')
  assert.ok(!inspect(rows).includes(one.subject))
})

test('ended windows are purged, open ones stay', async () => {
  await db()('rate_limits').delete()
  const count = rateLimiter(consumeQuota)
  await count(quota())
  freezeClock(inMs(MINUTE_MS + 1_000))
  await count(quota())

  await purgeQuotaWindows()

  const left = await db()('rate_limits').pluck<Date[]>('ends_at')
  assert.equal(left.length, 1)
  assert.ok(left.every((endsAt) => endsAt > now()))
})
