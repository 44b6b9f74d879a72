import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBooks } from '#test/support/books/test-books.ts'
import '#test/support/database.ts'
import { Coupon } from '#shared/coupons/coupon.ts'
import { releaseCouponUse } from '#shared/coupons/coupon-use.ts'
import type { CouponInput } from '#shared/coupons/create-coupon.ts'
import { deactivateCoupon } from '#shared/coupons/deactivate-coupon.ts'
import { purgeCoupon } from '#shared/coupons/purge-coupon.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import { releaseDueHold } from '#shared/orders/stock/hold.ts'
import { expireDueOrder } from '#shared/payments/close/expire-due-order.ts'
import { failPayment } from '#shared/payments/close/fail-payment.ts'
import { payOrder } from '#shared/payments/open/pay-order.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { applyCapture } from '#shared/settlement/apply-capture.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import { errorCodeOf } from '#test/support/books/observe-orders.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { type BuiltOrder, buildCheckoutRequest, place, readStore } from '#test/support/builders/orders.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'
import { countNaiveSuccesses, countSuccesses } from '#test/support/races/single-use.ts'

const DAY_MS = 24 * 3600 * 1000
const HOLD_MS = 35 * 60 * 1000

/** A store with a coupon and something to buy with it; checkouts are by card. */
async function scene(given: Partial<CouponInput>) {
  const built = await buildStore()
  const store = await readStore(built.id)
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 1_000 }] })
  const shipping = await buildShippingMethod(store)
  await buildPaymentMethods(store)
  const coupon = await buildCoupon(store, given)
  const items = [{ variantId: variants[0]?.id ?? '', quantity: 1 }]

  const within = <T>(work: (tx: StoreTx) => Promise<T>) => inStore(store.id, work)
  const buyIn = (
    tx: StoreTx,
    { email = `b${nextNumber()}@example.test`, customerId = null }: Buying = {},
  ) => {
    const request = { ...buildCheckoutRequest(shipping.id), email, coupon_code: coupon.code }
    return place(tx, store, { customerId, items, request })
  }
  const buy = (by?: Buying) => within((tx) => buyIn(tx, by))
  const count = () => within(async (tx) => (await Coupon.in(tx).findById(coupon.id))?.usesCount)
  const uses = () =>
    within((tx) => tx.knex('coupon_uses').where({ coupon_id: coupon.id, released_at: null }).select())
  const move = (order: BuiltOrder, to: 'canceled' | 'processing' | 'refunded' | 'shipped') =>
    within((tx) => changeOrderStatus(tx, order.id, to, 'system'))
  const fail = ({ paymentId }: BuiltOrder) =>
    within((tx) => failPayment(tx, paymentId ?? '', { status: 'canceled', reason: 'abandoned' }))
  const payAgain = ({ id, accessToken }: BuiltOrder) =>
    within((tx) =>
      payOrder(tx, store, id, { buyer: { customerId: null, accessToken }, network: '203.0.113.0' }),
    )
  const capture = ({ id, paymentId, totalMinor, currency }: BuiltOrder) =>
    within((tx) =>
      applyCapture(tx, paymentId ?? '', { reference: `pi_${id}`, amountMinor: totalMinor, currency }),
    )
  return { store, coupon, within, buyIn, buy, count, uses, move, fail, payAgain, capture }
}

interface Buying {
  email?: string
  customerId?: string | null
}

test('50 concurrent checkouts redeem a coupon exactly as often as its limit', async () => {
  const { buy, count, uses } = await scene({ usesTotal: 3 })

  assert.equal(await countSuccesses(() => buy(), 'coupon.usage_exceeded'), 3)

  assert.equal(await count(), 3)
  assert.equal((await uses()).length, 3)
})

test('control: reading the count before updating it exceeds the limit', async () => {
  const { store, coupon } = await scene({ usesTotal: 1 })

  const entered = await countNaiveSuccesses(
    store,
    async (tx) => (await Coupon.in(tx).findById(coupon.id))?.usesCount === 0,
    (tx) => Coupon.in(tx).findById(coupon.id).increment('uses_count', 1),
  )

  assert.ok(entered > 1)
})

test('50 concurrent checkouts by one buyer succeed up to the limit per customer', async () => {
  const { store, buy, count } = await scene({ usesPerCustomer: 2 })
  const { id: customerId, email } = await buildCustomer(store)
  const ways = [
    { customerId, email: 'first@example.test' },
    { customerId, email },
  ]
  let turn = 0

  const mine = countSuccesses(() => buy(ways[turn++ % 2]), 'coupon.usage_exceeded')
  const others = Promise.all([buy(), buy(), buy()])

  assert.equal(await mine, 2)
  assert.equal((await others).length, 3)
  assert.equal(await count(), 5)
})

test('50 concurrent checkouts by one guest succeed up to the limit per customer', async () => {
  const { buy, count } = await scene({ usesPerCustomer: 1, usesTotal: 40 })

  assert.equal(await countSuccesses(() => buy({ email: 'Guest@example.test' }), 'coupon.usage_exceeded'), 1)

  assert.equal(await count(), 1)
})

test("control: counting a buyer's uses without the lock on the coupon exceeds the limit", async () => {
  const { store, coupon } = await scene({ usesPerCustomer: 1 })

  const entered = await countNaiveSuccesses(
    store,
    async (tx) => !(await tx.knex('coupon_uses').where('coupon_id', coupon.id).first()),
    (tx) => Coupon.in(tx).findById(coupon.id).increment('uses_count', 1),
  )

  assert.ok(entered > 1)
})

test('50 concurrent cancellations release the coupon of an order once', async () => {
  const { buy, count, uses, move } = await scene({ usesTotal: 2, usesPerCustomer: 1 })
  const order = await buy({ email: 'ada@example.test' })
  await buy()

  assert.equal(await countSuccesses(() => move(order, 'canceled'), 'order.invalid_transition'), 1)

  assert.equal(await count(), 1)
  assert.equal((await uses()).length, 1)
  assert.ok(await buy({ email: 'ada@example.test' }), 'by the same buyer it may be used again')
})

test('a use is released once even without the lock on its order', async () => {
  const { buy, count, within } = await scene({})
  const order = await buy()
  await buy()

  await Promise.all(Array.from({ length: 50 }, () => within((tx) => releaseCouponUse(tx, order.id))))

  assert.equal(await count(), 1)
})

test('control: reading the use before releasing it releases it twice', async () => {
  const { store, coupon, buy } = await scene({})
  const order = await buy()
  for (let i = 0; i < 5; i++) await buy()

  const entered = await countNaiveSuccesses(
    store,
    async (tx) =>
      Boolean(await tx.knex('coupon_uses').where({ order_id: order.id, released_at: null }).first()),
    async (tx) => {
      await tx.knex('coupon_uses').where({ order_id: order.id }).update({ released_at: new Date() })
      await Coupon.in(tx).findById(coupon.id).decrement('uses_count', 1)
    },
  )

  assert.ok(entered > 1)
})

test('a canceled payment releases the coupon, and a new payment restores it', async () => {
  const { buy, count, fail, payAgain, capture } = await scene({ usesTotal: 1 })
  const order = await buy()

  await fail(order)
  assert.equal(await count(), 0)
  const { id } = await payAgain(order)
  assert.equal(await count(), 1)
  await capture({ ...order, paymentId: id })
  assert.equal(await count(), 1)
})

test('an expired order releases its coupon', async () => {
  const { buy, count, within } = await scene({})
  const order = await buy()
  moveClock(DAY_MS + 1_000)

  await within((tx) => expireDueOrder(tx, order.id))

  assert.equal(await count(), 0)
})

test('a new payment fails when the coupon is used up', async () => {
  for (const given of [{ usesTotal: 1 }, { usesPerCustomer: 1 }]) {
    const { buy, count, fail, payAgain } = await scene(given)
    const order = await buy({ email: 'ada@example.test' })
    await fail(order)
    await buy({ email: 'ada@example.test' })

    assert.equal(await errorCodeOf(payAgain(order)), 'coupon.usage_exceeded')
    assert.equal(await count(), 1)
  }
})

test('as many failed orders paid concurrently succeed as uses are left', async () => {
  const { buy, count, fail, payAgain } = await scene({ usesTotal: 3 })
  const orders: BuiltOrder[] = []
  for (let i = 0; i < 10; i++) {
    const order = await buy()
    await fail(order)
    orders.push(order)
  }

  const outcomes = await Promise.all(orders.map((order) => errorCodeOf(payAgain(order))))

  assert.equal(outcomes.filter((outcome) => outcome === null).length, 3)
  assert.deepEqual(new Set(outcomes), new Set([null, 'coupon.usage_exceeded']))
  assert.equal(await count(), 3)
})

test('a coupon is released with the stock, and restored by a later payment', async () => {
  stopClock()
  const { buy, count, within, capture } = await scene({ usesTotal: 1 })
  const order = await buy()

  moveClock(HOLD_MS - 1_000)
  await within((tx) => releaseDueHold(tx, order.id))
  assert.equal(await count(), 1)
  moveClock(HOLD_MS + 1_000)
  await within((tx) => releaseDueHold(tx, order.id))
  assert.equal(await count(), 0)

  await capture(order)
  assert.equal(await count(), 1)
})

test('a new payment renews the hold and restores the coupon', async () => {
  const { buy, count, within, payAgain } = await scene({ usesTotal: 1 })
  const order = await buy()
  moveClock(HOLD_MS + 1_000)
  await within((tx) => releaseDueHold(tx, order.id))

  await payAgain(order)
  assert.equal(await count(), 1)
  await within((tx) => releaseDueHold(tx, order.id))
  assert.equal(await count(), 1)
})

test('a capture after the coupon was used up is refunded, and the limit holds', async () => {
  const { buy, count, fail, capture, within } = await scene({ usesTotal: 1 })
  const late = await buy()
  await fail(late)
  const marked = await buy()
  await fail(marked)
  await buy()

  await capture(late)
  const { status, payment_status } = await within((tx) => loadOrderView(tx, late.id))
  const { rows } = await within((tx) =>
    tx.knex.raw("select 1 from pgboss.job where name = 'return-surplus' and data->>'storeId' = ?", [
      tx.storeId,
    ]),
  )

  assert.deepEqual({ status, payment_status }, { status: 'canceled', payment_status: 'unpaid' })
  assert.equal(rows.length, 1)
  assert.equal(
    await errorCodeOf(within((tx) => markOrderPaid(tx, marked.id, 'staff:1'))),
    'coupon.usage_exceeded',
  )
  assert.equal(await count(), 1)
})

test('a refunded order keeps its coupon use', async () => {
  const { buy, count, capture, move } = await scene({})
  const order = await buy()
  await capture(order)

  await move(order, 'refunded')

  assert.equal(await count(), 1)
})

test('a canceled order does not restore its coupon', async () => {
  const { buy, count, move, capture } = await scene({})
  const order = await buy()
  await move(order, 'canceled')

  await capture(order)

  assert.equal(await count(), 0)
})

test('exactly one of a concurrent purge and checkout succeeds', async () => {
  for (let i = 0; i < 10; i++) {
    const { coupon, buy, uses, within } = await scene({})

    const [bought, purged] = await Promise.all([
      errorCodeOf(buy()),
      errorCodeOf(within((tx) => purgeCoupon(tx, coupon.id))),
    ])

    const isUsed = bought === null && purged === 'coupon.in_use'
    const isGone = bought === 'coupon.not_found' && purged === null
    assert.ok(isUsed || isGone, `${bought} ${purged}`)
    assert.equal((await uses()).length, isUsed ? 1 : 0)
  }
})

test('a purge waits for a checkout that has redeemed the coupon', async () => {
  const { coupon, within, buyIn } = await scene({})
  const checkout = await pending(within, (tx) => buyIn(tx))

  const purge = errorCodeOf(within((tx) => purgeCoupon(tx, coupon.id)))
  await untilOneWaits()
  checkout.commit()

  assert.equal(await purge, 'coupon.in_use')
  await checkout.done
})

test('control: a purge that reads before it locks violates the foreign key of a new use', async () => {
  const { coupon, within, buyIn } = await scene({})
  const checkout = await pending(within, (tx) => buyIn(tx))
  const FOREIGN_KEY_VIOLATION = '23503'

  const purge = within(async (tx) => {
    const use = await tx.knex('coupon_uses').where('coupon_id', coupon.id).first()
    checkout.commit()
    await checkout.done
    if (!use) await tx.knex('coupons').where('id', coupon.id).delete()
  })

  await assert.rejects(purge, { code: FOREIGN_KEY_VIOLATION })
})

test('a coupon that is deactivated or deleted during a checkout is not redeemed', async () => {
  for (const rival of [deactivateCoupon, purgeCoupon]) {
    const { coupon, within, buy, uses } = await scene({})
    const switchedOff = await pending(within, (tx) => rival(tx, coupon.id))

    const bought = errorCodeOf(buy())
    await untilOneWaits()
    switchedOff.commit()

    assert.equal(await bought, 'coupon.not_found')
    await switchedOff.done
    assert.deepEqual(await uses(), [])
  }
})

testBooks()
