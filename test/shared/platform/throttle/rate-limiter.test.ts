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

/** How many of `requests` concurrent requests, spread over processes, are within the limit. */
async function passing(processes: Count[], limit: RateLimit, requests: number): Promise<number> {
  const results = await Promise.all(
    Array.from({ length: requests }, (_, i) => processes[i % processes.length]?.(limit)),
  )
  return results.filter((result) => result?.isWithin).length
}

/** A quota of one process alone. */
function unsharedQuota(): typeof consumeQuota {
  let used = 0
  return async (_subject, { limit, units = 1 }) => {
    const granted = Math.min(units, limit - used)
    used += granted
    return { granted, left: limit - used, endsAt: inMs(MINUTE_MS) }
  }
}

test('two processes together admit exactly the limit of 40 concurrent requests', async () => {
  const processes = [rateLimiter(consumeQuota), rateLimiter(consumeQuota)]

  assert.equal(await passing(processes, quota(), 40), 5)
})

test('control: two processes with unshared quotas admit twice the limit', async () => {
  const processes = [rateLimiter(unsharedQuota()), rateLimiter(unsharedQuota())]

  assert.equal(await passing(processes, quota(), 40), 10)
})

test('with slices, processes admit at most the limit, less the unused units of other processes', async () => {
  const [perMinute, slice, count] = [100, 10, 4]
  for (let round = 0; round < 10; round++) {
    const processes = Array.from({ length: count }, () => rateLimiter(consumeQuota))
    const asked = quota({ perMinute, slice })
    // Each process consumes a slice for one request; all other requests go to one process.
    const first = await passing(processes, asked, count)
    const rest = await passing(processes.slice(0, 1), asked, 200)

    assert.equal(first, count)
    assert.equal(first + rest, perMinute - (count - 1) * (slice - 1))
    const late = await passing(processes, asked, 200)
    assert.equal(first + rest + late, perMinute)
  }
})

test('a slice costs one round trip, and requests after the last unit cost none', async () => {
  let trips = 0
  const count = rateLimiter((...parameters) => {
    trips += 1
    return consumeQuota(...parameters)
  })
  const asked = quota({ perMinute: 100, slice: 10 })

  for (let i = 0; i < 100; i++) await count(asked)
  assert.equal(trips, 10)
  for (let i = 0; i < 100; i++) await count(asked)
  assert.equal(trips, 10)
})

test('a subject has all its units again a minute after its first request', async () => {
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

test('a lowered limit applies immediately', async () => {
  const subject = quota().subject
  const count = (perMinute: number) => rateLimiter(consumeQuota)({ subject, perMinute, slice: 1 })
  for (let i = 0; i < 4; i++) await count(5)

  assert.equal((await count(3)).isWithin, false)
  assert.equal((await count(5)).isWithin, true)
})

test('subjects have separate quotas, stored under hashes', async () => {
  const count = rateLimiter(consumeQuota)
  const [one, other] = [quota({ perMinute: 1 }), quota({ perMinute: 1 })]

  assert.equal((await count(one)).isWithin, true)
  assert.equal((await count(other)).isWithin, true)
  const rows = await db()('rate_limits')
  assert.ok(!inspect(rows).includes(one.subject))
})

test('the purge deletes ended windows and keeps open ones', async () => {
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
