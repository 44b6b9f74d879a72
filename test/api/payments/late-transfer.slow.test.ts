import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { hasUnsettledMoney } from '#shared/refunds/has-unsettled-money.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, checkOut, confirm, fillCart, referenceOf } from '#test/support/builders/place-orders.ts'
import { buildVoucher, ledgerOf } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainDueOrders, drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

/** A customer's order of 2 of 2 units, 25.00, to pay by transfer; a voucher pays the given part. */
async function scene({ voucherMinor = 0n, paymentMethod = 'bank_transfer' } = {}) {
  const shop = await buildShop(2)
  const { store, variantId } = shop
  const voucher = voucherMinor > 0n ? await buildVoucher(store, { amountMinor: voucherMinor }) : null
  const customer = await buildCustomer(store)
  const { token } = await buildStaff(store, { role: 'administrator' })
  /** Another buyer gets both units. */
  const sellStock = async () => {
    const cart = await fillCart(store, variantId, 2)
    await checkOut(shop, { cart, body: { payment_method: 'cash_on_delivery' } })
  }
  await request('POST /cart/items', {
    store,
    token: customer.token,
    body: { variant_id: variantId, quantity: 2 },
  })
  const { order, payment } = (
    await checkOut(shop, {
      token: customer.token,
      body: { payment_method: paymentMethod, ...(voucher ? { voucher_code: voucher.code } : {}) },
    })
  ).data
  const path = `/admin/orders/${order.id}`
  const staff = (line: string, body?: object) =>
    request(line, {
      token,
      ...(line.startsWith('GET') ? {} : { key: randomUUID() }),
      ...(body ? { body } : {}),
    })
  const read = async () => (await staff(`GET ${path}`)).data
  return {
    store,
    order,
    payment,
    read,
    sellStock,
    staff,
    voucher,
    stock: () => stockOf(store, variantId),
    markPaid: (body: object = {}) => staff(`POST ${path}/mark-paid`, body),
    cancel: () => staff(`PATCH ${path}`, { status: 'canceled' }),
    markReturned: async () =>
      staff(`POST ${path}/mark-surplus-returned`, {
        surplus_id: (await read()).surpluses[0].id,
        reason: 'Transfer of 14 October',
      }),
    anonymize: () => staff(`POST /admin/customers/${customer.id}/anonymize`),
    needsRefund: async () =>
      (await staff('GET /admin/orders?needs=refund')).data.map(({ id }: { id: string }) => id),
    owesMoney: () => inStore(store.id, hasUnsettledMoney),
  }
}

test('a transfer that came after the stock was sold cancels its order and is owed until staff return it', async () => {
  const { order, read, sellStock, markPaid, markReturned, anonymize, needsRefund, owesMoney } = await scene()
  moveClock(8 * DAY_MS)
  await drainDueOrders()
  // The token of the staff member is valid again.
  moveClock(0)
  await sellStock()
  const refused = await markPaid()

  const { status, data } = await markPaid({ amount: 25, note: 'Statement of 9 October' })
  await drainJobs()

  assert.equal(refused.error_code, 'checkout.insufficient_stock')
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data, { status: 'canceled', amount_captured: 0 })
  const owed = await read()
  assert.partialDeepStrictEqual(owed.payments, [{ provider: 'offline', amount: 25, amount_captured: 25 }])
  assert.partialDeepStrictEqual(owed.surpluses, [
    { reason: 'order_not_fulfillable', status: 'owed', amount: 25, attempts: 0, next_attempt_at: null },
  ])
  assert.ok(owed.history.some(({ note }: { note: string }) => note === 'Statement of 9 October'))
  assert.deepEqual(await needsRefund(), [order.id])
  assert.equal(await owesMoney(), true)
  assert.equal((await anonymize()).error_code, 'customer.has_open_business')

  assert.equal((await markReturned()).status, 200)

  assert.partialDeepStrictEqual(await read(), {
    amount_captured: 0,
    amount_refunded: 0,
    surpluses: [{ status: 'returned', amount_returned: 25 }],
  })
  assert.deepEqual(await needsRefund(), [])
  assert.equal(await owesMoney(), false)
  assert.equal((await anonymize()).status, 200)
})

test('a transfer for a canceled order is owed to the buyer', async () => {
  const { read, markPaid, cancel, voucher, store } = await scene({ voucherMinor: 500n })
  await cancel()
  const refused = await markPaid()

  const { status } = await markPaid({ amount: 20 })

  assert.deepEqual({ refused: refused.error_code, status }, { refused: 'order.not_payable', status: 200 })
  assert.partialDeepStrictEqual(await read(), {
    status: 'canceled',
    payment_status: 'unpaid',
    surpluses: [{ reason: 'order_canceled', status: 'owed', amount: 20 }],
  })
  assert.deepEqual(await ledgerOf(store, voucher?.id ?? ''), ['issue 500', 'reserve 500', 'release 500'])
})

test('a second transfer for a paid order is owed, and its refund leaves the order paid', async () => {
  const { read, markPaid, markReturned, needsRefund } = await scene()
  await markPaid()

  await markPaid({ amount: 10 })
  await markReturned()

  assert.partialDeepStrictEqual(await read(), {
    status: 'processing',
    payment_status: 'paid',
    amount_captured: 25,
    amount_refunded: 0,
    payments: [{ amount: 25 }, { amount: 10, amount_captured: 10 }],
    surpluses: [{ reason: 'paid_twice', status: 'returned', amount: 10 }],
  })
  assert.deepEqual(await needsRefund(), [])
})

test('a transfer of more than what is due pays the order, and the rest is owed', async () => {
  const { read, markPaid, stock } = await scene({ voucherMinor: 500n })

  const { data } = await markPaid({ amount: 23.5 })

  assert.partialDeepStrictEqual(data, { status: 'processing', payment_status: 'paid', amount_captured: 25 })
  assert.partialDeepStrictEqual(await read(), {
    payments: [{ amount: 20, amount_captured: 23.5 }],
    surpluses: [{ reason: 'overpaid', status: 'owed', amount: 3.5 }],
  })
  assert.deepEqual(await stock(), { onHand: 2, allocated: 2, held: 0 })
})

test('a transfer of less than what is due is not recorded: the sum is, when the rest has come', async () => {
  const { read, markPaid } = await scene()

  const refused = await markPaid({ amount: 24.5 })
  const { payments } = await read()
  const { data } = await markPaid({ amount: 25 })

  assert.equal(refused.status, 422)
  assert.match(refused.detail?.[0]?.msg ?? '', /25 EUR/)
  assert.deepEqual(payments, [])
  assert.partialDeepStrictEqual(data, { status: 'processing', payment_status: 'paid', amount_captured: 25 })
})

test('a transfer is not recorded while staff must decide about a mismatched payment', async () => {
  const { store, payment, read, markPaid } = await scene({ paymentMethod: 'card' })
  await drainJobs()
  const reference = await referenceOf(store, payment.id)
  gateway.change((context) => {
    const intent = context.books.find('payment_intents', reference)
    if (intent) context.books.put('payment_intents', { ...intent, amount: 2_400 })
  })
  await notify('payment_intent.succeeded', await confirm(reference))

  const { error_code } = await markPaid({ amount: 25 })

  assert.equal(error_code, 'order.not_payable')
  assert.partialDeepStrictEqual(await read(), { status: 'pending', payments: [{ status: 'mismatched' }] })
})

test('an amount with too many decimals returns 422 at amount', async () => {
  const { markPaid } = await scene()

  const { status, detail } = await markPaid({ amount: 1.005 })

  assert.equal(status, 422)
  assert.deepEqual(detail?.[0]?.loc, ['body', 'amount'])
})

testBooks()
