import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import type { ThrottleRate } from '#shared/platform/throttle/throttle.ts'
import { inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildTill, buildTillKey, connectTill } from '#test/support/builders/remote.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { until } from '#test/support/races/until.ts'
import { createRemoteCatalogGateway } from '#workers/gateways/remote-catalog.ts'
import { createThrottledCall } from '#workers/remote-catalog/throttled-call.ts'
import { type Service, startService } from './service.ts'

// Three web and three worker processes share one till, which blocks a key that exceeds its rate limit.
const PER_SECOND = 30
const BURST = 2
const till = await buildTill({ perSecond: PER_SECOND, burst: BURST, banMs: MINUTE_MS })
const limits = { requestsPerSecond: PER_SECOND, burst: BURST }

let service: Service
before(async () => {
  service = await startService(process.env, { webs: 3, workers: 3 })
})
after(async () => service[Symbol.asyncDispose]())

async function buildShop(api_key = buildTillKey()) {
  const store = await buildStore()
  await buildProduct(store)
  const { token } = await buildStaff(store, { role: 'owner' })
  await connectTill(store, till, { ...limits, apiKey: api_key })
  return { store, token, api_key }
}

const webOf = (n: number): string => service.urls[n % service.urls.length] ?? ''

async function call(n: number, path: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${webOf(n)}/api/v1${path}`, { headers })
  await response.text()
  return response.status
}

const browse = (n: number, query: string, { token }: { token: string }) =>
  call(n, `/admin/remote/catalog?${query}`, { Authorization: `Bearer ${token}` })

const times = <T>(count: number, work: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => work(n))

test('three web and three worker processes keep within the rate limit of a key that two stores share', async () => {
  const one = await buildShop()
  const other = await buildShop(one.api_key)
  const reads = 45

  const statuses = await Promise.all(times(reads, (n) => browse(n, `page=${n + 1}`, n % 2 ? one : other)))

  assert.deepEqual([...new Set(statuses)], [200])
  const { requests, punished } = till.account(one.api_key)
  assert.deepEqual({ requests, punished }, { requests: reads, punished: 0 })
})

/** Reads through three queues that share no slots, as three processes without the throttle would. */
async function readByBottleneckAlone(apiKey: string): Promise<void> {
  const free = { acquire: async () => ({ slot: 0 }), release: async () => {} }
  const gateway = createRemoteCatalogGateway({ allowLocal: true })
  const pace: ThrottleRate = { subject: apiKey, perSecond: PER_SECOND, burst: BURST }
  const read = (inTurn: ReturnType<typeof createThrottledCall>) =>
    inTurn(pace, inMs(MINUTE_MS), new AbortController().signal, (signal) =>
      gateway.page({ baseUrl: till.url, apiKey }, { page: 1, page_size: 1 }, signal),
    )
  await Promise.allSettled(
    times(3, () => createThrottledCall(free)).flatMap((inTurn) => times(10, () => read(inTurn))),
  )
  await gateway.close()
}

test('control: a Bottleneck in each process exceeds the rate limit, and the till blocks the key', async () => {
  const apiKey = buildTillKey()

  await readByBottleneckAlone(apiKey)

  assert.ok(till.account(apiKey).punished > 0)
})

test('requests of others are answered while the till hangs', async (t) => {
  const { store, token } = await buildShop()
  t.after(() => till.behave({ mode: 'normal' }))
  till.behave({ mode: 'hang' })
  const waiting = times(15, (n) => browse(n, `page=${n + 1}`, { token }))
  await till.untilHeld(BURST)

  const statuses = await Promise.all([
    ...times(50, (n) => call(n, '/products', { 'X-Service-Key': store.key })),
    ...times(20, (n) => call(n, '/admin/products', { Authorization: `Bearer ${token}` })),
  ])
  till.behave({ mode: 'normal' })
  const released = till.release()

  assert.deepEqual([...new Set(statuses)], [200])
  assert.equal(released, BURST)
  assert.deepEqual([...new Set(await Promise.all(waiting))], [200])
})

test('with a frozen till two callers time out, later ones get 502 immediately, and other stores read their catalog', async (t) => {
  const frozen = await buildTill()
  t.after(() => frozen.behave({ mode: 'normal' }))
  const shop = { ...(await buildShop()), api_key: buildTillKey() }
  await connectTill(shop.store, frozen, { apiKey: shop.api_key })
  const other = await buildShop()
  const ask = (page: number) => browse(0, `page=${page}`, shop)
  frozen.behave({ mode: 'hang' })

  const inVain = await Promise.all([ask(1), ask(2)])
  const later = await Promise.all(times(5, (n) => ask(3 + n)))

  assert.deepEqual([...new Set([...inVain, ...later])], [502])
  assert.equal(await browse(0, 'page=1', other), 200)
  await until('the probing request reaches the till', async () => frozen.reads(shop.api_key).length === 3)
  frozen.behave({ mode: 'normal' })
  frozen.release()
  await until('reads succeed again', async () => (await ask(8)) === 200)
})

/** Counts the requests that join one under way, by a trigger: nothing outside the processes shows it. */
async function watchJoins(): Promise<(count: number) => Promise<void>> {
  await db().raw(`
    create table joins (at timestamptz);
    create function note_join() returns trigger language plpgsql as
      $$ begin insert into joins values (now()); return null; end $$;
    create trigger note_join after update on remote_reads for each row execute function note_join()`)
  return (count) =>
    until(`${count} requests have joined`, async () => {
      const [row] = await db()('joins').count({ joined: '*' })
      return Number(row?.joined) >= count
    })
}

test('equal requests that wait in three web processes are one request to the till', async (t) => {
  const shop = await buildShop()
  const untilJoined = await watchJoins()
  t.after(() => till.behave({ mode: 'normal' }))
  till.behave({ mode: 'hang' })
  const equal = times(30, (n) => browse(n, 'q=lamp&page_size=200', shop))
  await till.untilHeld(1)
  await untilJoined(29)

  till.behave({ mode: 'normal' })
  till.release()

  assert.deepEqual([...new Set(await Promise.all(equal))], [200])
  assert.equal(till.reads(shop.api_key).length, 1)
})

test('no process logs a key', async () => {
  const { token, api_key } = await buildShop()
  const statuses = [await browse(0, 'page=1', { token })]
  till.behave({ mode: 'dead' })
  statuses.push(await browse(1, 'page=2', { token }))
  till.behave({ mode: 'normal' })

  assert.deepEqual(statuses, [200, 502])
  // Processes write their logs at intervals.
  await until('the failure is logged', async () => service.logged.includes('an external system failed'))
  assert.ok(!service.logged.includes(api_key))
})
