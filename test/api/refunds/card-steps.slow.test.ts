import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBooks } from '#test/support/books/test-books.ts'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { readOrder, readRefunds } from '#test/support/books/read-refunds.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { checkOut, confirm, fillCart, referenceOf } from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildVoucher, readVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

/** Three units of 1.115 KWD with shipping of 0.333, paid by card with 3.680. */
async function paidInDinars() {
  const store = await buildStore({ currency: 'KWD' })
  const { variants } = await buildProduct(store, { variants: [{ priceMinor: 1_115n, stockOnHand: 10 }] })
  const shipping = await buildShippingMethod(store, { priceMinor: 333n })
  await buildPaymentMethods(store)
  const cart = await fillCart(store, variants[0]?.id ?? '', 3)
  const { data } = await checkOut({ store, shipping }, { cart })
  await drainJobs()
  const reference = await referenceOf(store, data.payment.id)
  await notify('payment_intent.succeeded', await confirm(reference))
  const { token } = await buildStaff(store, { role: 'accounting' })
  const refund = async (body: object) => {
    const headers = { Prefer: 'respond-async' }
    const path = `POST /admin/orders/${data.order.id}/refunds`
    const response = await request(path, { token, key: newId(), headers, body })
    await drainJobs()
    return response
  }
  const unit = { items: [{ order_item_id: data.order.items[0].id, quantity: 1 }] }
  return { store, id: data.order.id, reference, token, refund, unit }
}

const unitsAtGateway = (reference: string) =>
  gateway
    .ledger()
    .refunds.filter(({ payment_intent, status }) => payment_intent === reference && status === 'succeeded')
    .map(({ amount }) => amount)

test('refunds of units and shipping in dinars are multiples of the card step and add up to the total', async () => {
  const { store, id, reference, refund, unit } = await paidInDinars()

  const pieces = [
    await refund(unit),
    await refund({ shipping_amount: 0.333 }),
    await refund(unit),
    await refund(unit),
  ]

  assert.deepEqual(
    pieces.map(({ status, data }) => ({ status, amount: data.amount, rounding: data.rounding_amount })),
    [
      { status: 202, amount: 1.12, rounding: 0.005 },
      { status: 202, amount: 0.33, rounding: -0.003 },
      { status: 202, amount: 1.11, rounding: -0.005 },
      { status: 202, amount: 1.12, rounding: 0.005 },
    ],
  )
  assert.deepEqual(unitsAtGateway(reference).toSorted(), [1_110, 1_120, 1_120, 330])
  const { status, totalMinor, amountRefundedMinor } = await readOrder(store, id)
  assert.deepEqual(
    { status, totalMinor, amountRefundedMinor },
    { status: 'refunded', totalMinor: 3_680n, amountRefundedMinor: 3_680n },
  )
})

test('an amount between two steps returns 422 at amount; amounts in steps and the remainder succeed', async () => {
  const { store, id, reference, token, refund } = await paidInDinars()

  const refused = await refund({ amount: 1.337 })
  const part = await refund({ amount: 1.34 })
  const headers = { Prefer: 'respond-async' }
  await request(`PATCH /admin/orders/${id}`, { token, headers, body: { status: 'refunded' } })
  await drainJobs()

  assert.partialDeepStrictEqual(refused, { status: 422, error_code: 'validation.failed' })
  assert.partialDeepStrictEqual(refused.detail[0], {
    loc: ['body', 'amount'],
    msg: 'The payment gateway refunds in steps of 0.01 KWD. Refund 1.33 KWD or 1.34 KWD',
  })
  assert.equal(part.status, 202)
  assert.deepEqual(unitsAtGateway(reference).toSorted(), [1_340, 2_340])
  assert.equal((await readOrder(store, id)).status, 'refunded')
  assert.ok((await readRefunds(store, id)).every(({ status }) => status === 'succeeded'))
})

test('a coupon and a gift voucher beside a card in dinars: refunds in pieces add up to the paid amount', async () => {
  const store = await buildStore({ currency: 'KWD' })
  const { variants } = await buildProduct(store, { variants: [{ priceMinor: 1_117n, stockOnHand: 10 }] })
  const shipping = await buildShippingMethod(store, { priceMinor: 333n })
  await buildPaymentMethods(store)
  const { code: coupon_code } = await buildCoupon(store, { type: 'percent', value: 7 })
  const voucher = await buildVoucher(store, { amountMinor: 777n, currency: 'KWD' })
  const cart = await fillCart(store, variants[0]?.id ?? '', 3)
  const body = { coupon_code, voucher_code: voucher.code }
  const { data } = await checkOut({ store, shipping }, { cart, body })
  await drainJobs()
  const reference = await referenceOf(store, data.payment.id)
  await notify('payment_intent.succeeded', await confirm(reference))
  const { token } = await buildStaff(store, { role: 'accounting' })
  const path = `/admin/orders/${data.order.id}`
  const refund = async (part: object) => {
    const headers = { Prefer: 'respond-async' }
    const answered = await request(`POST ${path}/refunds`, { token, key: newId(), headers, body: part })
    await drainJobs()
    return answered.status
  }
  const unit = { items: [{ order_item_id: data.order.items[0].id, quantity: 1 }] }

  const statuses = [
    await refund(unit),
    await refund({ shipping_amount: 0.333 }),
    await refund(unit),
    await refund(unit),
  ]

  assert.ok(
    statuses.every((status) => status === 201 || status === 202),
    `${statuses}`,
  )
  const order = await readOrder(store, data.order.id)
  assert.partialDeepStrictEqual(order, { status: 'refunded', amountRefundedMinor: order.totalMinor })
  const paid = gateway.ledger().payment_intents.find(({ id }) => id === reference)?.amount_received
  assert.equal(
    unitsAtGateway(reference).reduce((sum, units) => sum + units, 0),
    paid,
  )
  assert.equal((await readVoucher(store, voucher.id)).remainingMinor, 777n)
})

testBooks()
