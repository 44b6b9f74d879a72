import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { buildCouponScene, OFFLINE } from '#test/support/builders/coupon-scene.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildCheckoutRequest } from '#test/support/builders/orders.ts'
import { nextNumber } from '#test/support/builders/store.ts'
import { serveBehindProxy } from '#test/support/processes/serve-behind-proxy.ts'

const OFF = { LIMIT_FAILURES: '0' }

function configure(variables: Record<string, string>): void {
  Object.assign(process.env, variables)
  resetConfig()
}

// A proxy names the addresses of shoppers.
const base = `${await serveBehindProxy()}/api/v1`
afterEach(async () => {
  configure(OFF)
  await db()('rate_limits').delete()
})

const APPLIED = { status: 200, error_code: null }
const UNKNOWN = { status: 404, error_code: 'coupon.not_found' }
const LIMITED = { status: 429, error_code: 'rate_limit.exceeded' }

/** An address that no code has come from, in a network of its own. */
const newAddress = (): string => `100.64.${nextNumber() % 256}.1`

async function scene() {
  const { store, cart, shipping } = await buildCouponScene()
  const { code } = await buildCoupon(store)
  const post = async (path: string, ip: string, body: object) => {
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
        'X-Forwarded-For': ip,
        'X-Service-Key': store.key,
        'X-Cart-Token': cart,
      },
      body: JSON.stringify(body),
    })
    const { error_code } = (await response.json()) as { error_code: string | null }
    return { status: response.status, error_code }
  }
  const apply = (ip: string, given: string) => post('/cart/coupon', ip, { code: given })
  const checkOut = (ip: string, coupon_code: string) =>
    post('/checkout', ip, { ...buildCheckoutRequest(shipping.id), ...OFFLINE, coupon_code })
  const guess = () => `GUESS-${nextNumber()}`
  return { code, apply, checkOut, guess }
}

test('a network that tried ten times LIMIT_FAILURES unknown codes gets 429, even for a right one', async () => {
  const { code, apply, guess } = await scene()
  configure({ LIMIT_FAILURES: '1' })
  const ip = newAddress()

  for (let n = 0; n < 10; n++) assert.deepEqual(await apply(ip, guess()), UNKNOWN)

  assert.deepEqual(await apply(ip, code), LIMITED)
  assert.deepEqual(await apply(newAddress(), code), APPLIED)
})

test('codes of checkouts count together with those of carts', async () => {
  const { code, apply, checkOut, guess } = await scene()
  configure({ LIMIT_FAILURES: '1' })
  const ip = newAddress()

  for (let n = 0; n < 5; n++) {
    assert.deepEqual(await apply(ip, guess()), UNKNOWN)
    assert.deepEqual(await checkOut(ip, guess()), UNKNOWN)
  }

  assert.deepEqual(await checkOut(ip, code), LIMITED)
  assert.deepEqual(await apply(ip, code), LIMITED)
})

test('known codes do not count', async () => {
  const { code, apply } = await scene()
  configure({ LIMIT_FAILURES: '1' })
  const ip = newAddress()

  for (let n = 0; n < 11; n++) assert.deepEqual(await apply(ip, code), APPLIED)
})
