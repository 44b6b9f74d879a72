import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestedBy } from '#test/support/requested-by.ts'
import '#test/support/database.ts'
import '#test/support/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import type { DisputeStatus } from '#test/sandbox/gateway/types.ts'
import { request } from '#test/support/app.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { buildOrder } from '#test/support/build-orders.ts'
import { buildVoucher } from '#test/support/build-vouchers.ts'
import { gateway } from '#test/support/gateway.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { notify } from '#test/support/notify.ts'
import { buildShop, checkOut, confirm, referenceOf } from '#test/support/place-orders.ts'
import { buyWith } from '#test/support/spend-vouchers.ts'
import { ignoreBooksOf, testBooks } from '#test/support/test-books.ts'

/** A gift voucher of 25.00 that was bought by card, and the bank of its buyer. */
async function scene() {
  const shop = await buildShop()
  const { store } = shop
  const gift = {
    to_name: 'Grace',
    to_email: 'grace@example.test',
    from_name: 'Ada',
    from_email: 'ada@example.test',
  }
  const { data: cart } = await request('POST /cart/items', {
    store,
    body: { voucher: { ...gift, amount: 25, message: '' } },
  })
  const { data } = await checkOut(shop, { cart: cart.token, body: { shipping_method_id: undefined } })
  await drainJobs()
  const orderId: string = data.order.id
  const reference = await referenceOf(store, data.payment.id)
  await notify('payment_intent.succeeded', await confirm(reference))
  const [bought] = await inStore(store.id, (tx) => Voucher.in(tx).where('order_id', orderId))
  const { token } = await buildStaff(store, { role: 'owner' })
  const dispute = async () => {
    const opened = gateway.change((context) =>
      openDispute(context, { payment_intent: reference, amount: 1_000 }),
    )
    await notify('charge.dispute.created', opened)
    return async (status: DisputeStatus) =>
      notify(
        'charge.dispute.closed',
        gateway.change((context) => changeDispute(context, opened.id, status)),
      )
  }
  const spend = async (voucher_code = bought?.code) =>
    (await buyWith(shop, { voucher_code, payment_method: 'voucher' })).error_code
  const read = async (id = bought?.id) => (await request(`GET /admin/vouchers/${id}`, { token })).data
  return { store, orderId, code: bought?.code ?? '', token, dispute, spend, read }
}

test('a voucher whose purchase is disputed cannot be spent until the dispute is won', async () => {
  const { store, code, dispute, spend, read } = await scene()
  const bankDecides = await dispute()

  const held = await spend()
  const balance = await request(`GET /vouchers/${code}`, { store })
  const during = await read()
  await bankDecides('won')

  assert.deepEqual(
    { held, balance: balance.error_code },
    { held: 'voucher.inactive', balance: 'voucher.not_found' },
  )
  assert.partialDeepStrictEqual(during, { is_active: true, is_disputed: true, amount_remaining: 25 })
  assert.partialDeepStrictEqual(await read(), { is_disputed: false })
  assert.equal(await spend(), null)
})

test('a voucher of two disputes cannot be spent until both are closed', async () => {
  const { dispute, spend } = await scene()
  const [first, second] = [await dispute(), await dispute()]

  await first('won')
  const afterFirst = await spend()
  await second('won')

  assert.deepEqual(
    { afterFirst, afterSecond: await spend() },
    { afterFirst: 'voucher.inactive', afterSecond: null },
  )
})

test('a voucher whose purchase was disputed and lost has what the bank left of its price', async () => {
  const { dispute, read } = await scene()
  const bankDecides = await dispute()

  await bankDecides('lost')

  assert.partialDeepStrictEqual(await read(), { is_disputed: false, is_active: true, amount_remaining: 15 })
})

test('a voucher that was issued for a disputed order can be spent when staff separate it from the order', async () => {
  const { store, orderId, token, dispute, spend, read } = await scene()
  const { id, code } = await buildVoucher(store, { orderId })
  await dispute()

  const held = await spend(code)
  await request(`PATCH /admin/vouchers/${id}`, { token, body: { order_id: null } })

  assert.partialDeepStrictEqual(await read(id), { is_disputed: false })
  assert.deepEqual({ held, separated: await spend(code) }, { held: 'voucher.inactive', separated: null })
})

test('staff without the right to refund separate no held voucher from its order', async () => {
  const { store, orderId, dispute, spend, read } = await scene()
  const { id, code } = await buildVoucher(store, { orderId })
  const other = await buildOrder(store)
  const { token } = await buildStaff(store, { role: 'sales' })
  await dispute()

  const refusals = []
  for (const order_id of [null, other.id])
    refusals.push((await request(`PATCH /admin/vouchers/${id}`, { token, body: { order_id } })).error_code)
  const same = await request(`PATCH /admin/vouchers/${id}`, { token, body: { order_id: orderId } })

  assert.deepEqual(refusals, ['order.refund_forbidden', 'order.refund_forbidden'])
  assert.equal(same.status, 200)
  assert.partialDeepStrictEqual(await read(id), { is_disputed: true, order_id: orderId })
  assert.equal(await spend(code), 'voucher.inactive')
})

test('a voucher issued for an order stays blocked if the bank has also paid the buyer', async () => {
  const { store, orderId, token, dispute, spend, read } = await scene()
  const { id, code } = await buildVoucher(store, { orderId, amountMinor: 2_000n })
  const credit = { amountMinor: 2_000n, means: 'credit', override: true, reason: 'Credit' } as const
  // The books expect a credit to belong to a return. The goods of this order, a voucher, cannot be returned.
  ignoreBooksOf(store)
  await inStore(store.id, (tx) => requestRefund(tx, orderId, credit, requestedBy('staff:1')))
  const bankDecides = await dispute()

  await bankDecides('lost')
  const lost = { ...(await read(id)), spent: await spend(code) }
  await request(`PATCH /admin/vouchers/${id}`, { token, body: { order_id: null } })

  assert.partialDeepStrictEqual(lost, { is_disputed: true, amount_remaining: 20, spent: 'voucher.inactive' })
  assert.partialDeepStrictEqual(await read(id), { is_disputed: false })
  assert.equal(await spend(code), null)
})

testBooks()
