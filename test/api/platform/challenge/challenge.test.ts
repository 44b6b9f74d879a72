import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { consumeQuota } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { SOLVED, startChallengeProvider } from '#test/sandbox/challenge.ts'
import { buildCustomer, PASSWORD } from '#test/support/builders/accounts.ts'
import {
  buildShop,
  checkOut,
  confirm,
  fillCart,
  placeCardOrder,
} from '#test/support/builders/place-orders.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { notify } from '#test/support/processes/notify.ts'

const provider = await startChallengeProvider()
after(() => provider.stop())

const ON = provider.variables
const LIMITS = {
  LIMIT_LOGIN: '4',
  LIMIT_REGISTER: '4',
  LIMIT_FORGOT: '4',
  LIMIT_DECLINES: '4',
  LIMIT_ORDERS: '4',
}
/** The requests, of a limit of 4, that need no challenge. */
const FREE = 2

function set(variables: Record<string, string>): void {
  Object.assign(process.env, variables)
  resetConfig()
}

beforeEach(() => {
  provider.behave('up')
  provider.received.length = 0
  set({ ...LIMITS, ...ON })
})

afterEach(async () => {
  for (const name of Object.keys(ON)) delete process.env[name]
  set(Object.fromEntries(Object.keys(LIMITS).map((name) => [name, '0'])))
  await db()('rate_limits').delete()
})

const solved = () => ({ headers: { 'Challenge-Response': SOLVED + randomUUID() } })
const outcomeOf = ({ status, error_code }: { status: number; error_code: string | null }) => ({
  status,
  error_code,
})
const REQUIRED = { status: 403, error_code: 'challenge.required' }

interface Caller {
  store: { key: string }
  email: string
}

type Headers = { headers?: Record<string, string> }

const signIn = ({ store, email }: Caller, headers: Headers = {}) =>
  request('POST /auth/login', { store, body: { email, password: PASSWORD }, ...headers })

const OPERATIONS: Record<
  string,
  { send: (caller: Caller, headers?: Headers) => ReturnType<typeof request>; status: number }
> = {
  'POST /auth/login': { send: signIn, status: 200 },
  'POST /auth/register': {
    send: ({ store }, headers = {}) => {
      const email = `new-${nextNumber()}@example.test`
      const body = {
        email,
        password: PASSWORD,
        firstname: 'Ada',
        lastname: 'Byron',
        telephone: '+4930901820',
      }
      return request('POST /auth/register', { store, body, ...headers })
    },
    status: 201,
  },
  'POST /auth/password/forgot': {
    send: ({ store, email }, headers = {}) =>
      request('POST /auth/password/forgot', { store, body: { email }, ...headers }),
    status: 200,
  },
}

async function buildCaller(): Promise<Caller> {
  const store = await buildStore()
  const { email } = await buildCustomer(store)
  return { store, email }
}

/** Makes the requests that need no challenge. */
async function useFree(caller: Caller, send = signIn): Promise<void> {
  for (let n = 0; n < FREE; n++) await send(caller)
}

for (const [line, { send, status }] of Object.entries(OPERATIONS))
  test(`${line} past half of its limit requires a solved challenge`, async () => {
    const caller = await buildCaller()
    await useFree(caller, send)

    const refused = await send(caller)
    const passed = await send(caller, solved())

    assert.deepEqual(outcomeOf(refused), REQUIRED)
    assert.equal(refused.headers.get('Challenge-Site-Key'), ON.CHALLENGE_SITE_KEY)
    assert.equal(passed.status, status)
    assert.partialDeepStrictEqual(provider.received[0], {
      secret: ON.CHALLENGE_SECRET,
      remoteip: '127.0.0.1',
    })
  })

test('a forged token, a used one and one that is too long are refused', async () => {
  set({ LIMIT_LOGIN: '20' })
  const caller = await buildCaller()
  for (let n = 0; n < 10; n++) await signIn(caller)
  const once = solved()
  const first = await signIn(caller, once)

  const refused = {
    used: await signIn(caller, once),
    forged: await signIn(caller, { headers: { 'Challenge-Response': 'forged' } }),
    long: await signIn(caller, { headers: { 'Challenge-Response': SOLVED + 'x'.repeat(5_000) } }),
  }

  assert.equal(first.status, 200)
  for (const [name, response] of Object.entries(refused))
    assert.deepEqual(outcomeOf(response), REQUIRED, name)
})

test('a solved challenge does not lift the limit', async () => {
  const caller = await buildCaller()
  await useFree(caller)
  for (let n = FREE; n < 4; n++) await signIn(caller, solved())

  const { status } = await signIn(caller, solved())

  assert.equal(status, 429)
})

test('without the variables no request needs a challenge', async () => {
  for (const name of Object.keys(ON)) delete process.env[name]
  resetConfig()
  const caller = await buildCaller()
  await useFree(caller)

  const { status } = await signIn(caller)

  assert.deepEqual({ status, asked: provider.received.length }, { status: 200, asked: 0 })
})

/** A shop whose buyers' network had half of the declined cards that it may have. */
async function buildDeclined() {
  const shop = await buildShop()
  const orders = [await placeCardOrder(shop), await placeCardOrder(shop)]
  for (const { reference } of orders)
    await notify('payment_intent.payment_failed', await confirm(reference, 'pm_card_chargeDeclined'))
  return { shop, order: orders[0] as (typeof orders)[0] }
}

test('after half of the allowed declined cards, a payment by card requires a challenge', async () => {
  const { shop, order } = await buildDeclined()
  const pay = (headers: Record<string, string> = {}) =>
    request(`POST /orders/${order.id}/pay?access_token=${order.accessToken}`, {
      store: shop.store,
      key: randomUUID(),
      headers: { Prefer: 'respond-async', ...headers },
      body: {},
    })

  const refused = await pay()
  const passed = await pay(solved().headers)

  assert.deepEqual(outcomeOf(refused), REQUIRED)
  assert.equal(passed.status, 200)
})

test('past half of the declined cards a checkout by card requires a challenge, another one does not', async () => {
  const { shop } = await buildDeclined()
  const byMethod = async (payment_method: string) =>
    checkOut(shop, { cart: await fillCart(shop.store, shop.variantId), body: { payment_method } })

  const byCard = await byMethod('card')
  const byTransfer = await byMethod('bank_transfer')

  assert.deepEqual(
    { byCard: byCard.error_code, byTransfer: byTransfer.error_code },
    { byCard: 'challenge.required', byTransfer: null },
  )
})

test('after half of the allowed orders that are paid later, another one requires a challenge; an order by card does not', async () => {
  const shop = await buildShop()
  const byMethod = async (payment_method: string, email: string) =>
    checkOut(shop, { cart: await fillCart(shop.store, shop.variantId), body: { payment_method, email } })
  for (let n = 0; n < FREE; n++) await byMethod('cash_on_delivery', `buyer-${n}@example.test`)

  const later = await byMethod('bank_transfer', 'another@example.test')
  const byCard = await byMethod('card', 'third@example.test')

  assert.deepEqual(
    { later: later.error_code, byCard: byCard.error_code },
    { later: 'challenge.required', byCard: null },
  )
})

test('after half of the allowed orders by card, another one requires a challenge', async () => {
  const shop = await buildShop()
  await consumeQuota('card orders of 127.0.0.1', { limit: 40, units: 20, windowMs: HOUR_MS })

  const cart = await fillCart(shop.store, shop.variantId)
  const byCard = await checkOut(shop, { cart, body: { payment_method: 'card' } })

  assert.equal(byCard.error_code, 'challenge.required')
})

test('a provider that does not respond, or refuses the secret, lets callers pass; after two waits later callers do not wait', async () => {
  set({ LIMIT_LOGIN: '20' })
  const caller = await buildCaller()
  for (let n = 0; n < 10; n++) await signIn(caller)
  const statuses: number[] = []
  for (const mode of ['down', 'wrong', 'down'] as const) {
    provider.behave(mode)
    statuses.push((await signIn(caller, solved())).status)
  }

  const withoutToken = await signIn(caller)

  assert.deepEqual(statuses, [200, 200, 200])
  assert.deepEqual(outcomeOf(withoutToken), REQUIRED)
})
