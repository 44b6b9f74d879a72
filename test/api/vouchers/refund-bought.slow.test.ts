import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { readRefunds } from '#test/support/books/read-refunds.ts'
import { assertBooks, testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildGift, findBought, orderVoucher, putInCart } from '#test/support/builders/buy-vouchers.ts'
import { buildShop, checkOut, confirm, fillCart, referenceOf } from '#test/support/builders/place-orders.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildReceivedReturn } from '#test/support/builders/returns.ts'
import { readVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { notify } from '#test/support/processes/notify.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'

const refund = (token: string, orderId: string, body: object) =>
  withWorker(request(`POST /admin/orders/${orderId}/refunds`, { token, key: randomUUID(), body }))

/** A paid order of one unit and a gift voucher: 15.00 with shipping, and 25.00. */
async function paidForBoth() {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'accounting' })
  const cart = await fillCart(shop.store, shop.variantId)
  await putInCart(shop, { voucher: buildGift() }, cart)
  const { data } = await checkOut(shop, { cart })
  await drainJobs()
  await notify('payment_intent.succeeded', await confirm(await referenceOf(shop.store, data.payment.id)))
  const [voucher] = await findBought(shop, data.order.id)
  const id = voucher?.id ?? ''
  const state = async () => {
    const { isActive, remainingMinor } = await readVoucher(shop.store, id)
    return [isActive, remainingMinor]
  }
  const spend = () => {
    const body = { voucher_code: voucher?.code, payment_method: 'voucher' }
    return fillCart(shop.store, shop.variantId).then((more) => checkOut(shop, { cart: more, body }))
  }
  const lineId = data.order.items[1].id as string
  return { shop, store: shop.store, token, orderId: data.order.id as string, lineId, id, state, spend }
}

test('a refund of its line deactivates a bought voucher; a refund of goods does not', async () => {
  const { token, orderId, lineId, state, spend } = await paidForBoth()

  const goods = await refund(token, orderId, { amount: 15 })
  const after = await state()
  const line = await refund(token, orderId, { items: [{ order_item_id: lineId, quantity: 1 }] })

  assert.deepEqual({ status: goods.data.status, after }, { status: 'succeeded', after: [true, 2_500n] })
  assert.partialDeepStrictEqual(line.data, { status: 'succeeded', amount: 25 })
  assert.deepEqual(await state(), [false, 0n])
  assert.equal((await spend()).error_code, 'voucher.inactive')
})

test('a refund by amount withdraws the part above the price of the goods from a bought voucher', async () => {
  const { token, orderId, state } = await paidForBoth()

  await refund(token, orderId, { amount: 20 })
  const first = await state()
  await refund(token, orderId, { amount: 20 })

  assert.deepEqual(first, [true, 2_000n])
  assert.deepEqual(await state(), [false, 0n])
})

test('a refund pays the unspent part of a bought voucher; more needs override and a reason', async () => {
  const { store, token, orderId, lineId, id, state, spend } = await paidForBoth()
  assert.equal((await spend()).status, 201)
  const items = [{ order_item_id: lineId, quantity: 1 }]

  const all = await request(`PATCH /admin/orders/${orderId}`, { token, body: { status: 'refunded' } })
  const line = await refund(token, orderId, { items })
  const again = await refund(token, orderId, { items })
  const unexplained = await refund(token, orderId, { items, override: true })
  const rest = await refund(token, orderId, { amount: 30, override: true, reason: 'Goodwill' })

  assert.partialDeepStrictEqual(all, { status: 422, error_code: 'refund.voucher_spent' })
  assert.match(all.error ?? '', /10 EUR remains\. Refund at most 25 EUR/)
  assert.partialDeepStrictEqual(line, { status: 201, data: { status: 'succeeded', amount: 10 } })
  assert.partialDeepStrictEqual(again, { status: 422, error_code: 'refund.voucher_spent' })
  assert.partialDeepStrictEqual(unexplained, { status: 422, error_code: 'validation.failed' })
  assert.deepEqual(unexplained.detail[0].loc, ['body', 'reason'])
  assert.partialDeepStrictEqual(rest, { status: 201, data: { status: 'succeeded', amount: 30 } })
  const { data } = await request(`GET /admin/orders/${orderId}`, { token })
  assert.equal(data.status, 'refunded')
  assert.deepEqual(await state(), [false, 0n])
  assert.equal((await readVoucher(store, id)).spentMinor, 1_500n)
})

test('if the price of returned units was refunded as an amount, the refund of the return is not taken from a spent voucher', async () => {
  const { shop, store, token, orderId, state, spend } = await paidForBoth()
  const { data } = await request(`PATCH /admin/orders/${orderId}`, { token, body: { status: 'shipped' } })
  const lines = [{ id: data.items[0].id, variantId: shop.variantId, quantity: 1 }]
  const { id } = await buildReceivedReturn(store, { id: orderId, lines })
  await spend()
  await refund(token, orderId, { amount: 25 })

  const refused = await request(`POST /admin/returns/${id}/refund`, { token, key: randomUUID(), body: {} })

  assert.partialDeepStrictEqual(refused, { status: 422, error_code: 'refund.voucher_spent' })
  assert.deepEqual(
    (await readRefunds(store, orderId)).map(({ amountMinor }) => amountMinor),
    [2_500n],
  )
  assert.deepEqual(await state(), [true, 0n])
})

test('a bought voucher cannot be spent while its refund is in progress, and can be again after it failed', async () => {
  const { store, token, orderId, lineId, state, spend } = await paidForBoth()
  const body = { items: [{ order_item_id: lineId, quantity: 1 }] }
  const asked = await request(`POST /admin/orders/${orderId}/refunds`, {
    token,
    key: randomUUID(),
    headers: { Prefer: 'respond-async' },
    body,
  })
  const concurrent = await spend()
  const failure = { status: 'failed', reference: null, failureReason: 'expired_card' } as const

  for (let delivery = 0; delivery < 2; delivery++)
    await inStore(store.id, (tx) => settleRefund(tx, asked.data.id, failure))

  assert.deepEqual(
    { status: asked.status, error_code: concurrent.error_code },
    { status: 202, error_code: 'voucher.inactive' },
  )
  assert.deepEqual(await state(), [true, 2_500n])
  const [only] = await readRefunds(store, orderId)
  assert.equal(only?.status, 'failed')
  assert.equal((await spend()).status, 201)
})

test('a voucher deactivated by staff stays inactive when a partial refund of it fails', async () => {
  const { store, token, orderId, id, state } = await paidForBoth()
  const asked = await request(`POST /admin/orders/${orderId}/refunds`, {
    token,
    key: randomUUID(),
    headers: { Prefer: 'respond-async' },
    body: { amount: 20 },
  })
  const off = await request(`PATCH /admin/vouchers/${id}`, { token, body: { is_active: false } })
  const failure = { status: 'failed', reference: null, failureReason: 'expired_card' } as const

  await inStore(store.id, (tx) => settleRefund(tx, asked.data.id, failure))

  assert.equal(off.status, 200)
  assert.deepEqual(await state(), [false, 2_500n])
})

test('none of 20 checkouts concurrent to a refund spends the refunded value of a bought voucher', async () => {
  const { store, token, orderId, lineId, id, shop } = await paidForBoth()
  const { code } = await readVoucher(store, id)
  const carts = await Promise.all(Array.from({ length: 20 }, () => fillCart(store, shop.variantId)))
  const pay = { voucher_code: code, payment_method: 'voucher' }

  const [back, ...bought] = await Promise.all([
    refund(token, orderId, { items: [{ order_item_id: lineId, quantity: 1 }] }),
    ...carts.map((cart) => checkOut(shop, { cart, body: pay })),
  ])

  const spent = bought.filter(({ status }) => status === 201).length
  const { isActive, spentMinor, remainingMinor } = await readVoucher(store, id)
  assert.equal(back?.data.status, 'succeeded')
  assert.ok(spent <= 1)
  assert.equal(back?.data.amount, 25 - spent * 15)
  assert.deepEqual(
    { isActive, remainingMinor, spentMinor },
    { isActive: spent === 1, remainingMinor: 0n, spentMinor: BigInt(spent) * 1_500n },
  )
})

test('a voucher is bought, mailed, spent together with a card, and restored by the refund', async () => {
  const shop = await buildShop()
  const { store } = shop
  const { token } = await buildStaff(store, { role: 'accounting' })
  const { paid, voucher } = await orderVoucher(shop, buildGift({ amount: 12 }))
  await paid()
  const [mail] = mailbox.mails(voucher.to_email)
  const [code = ''] = /(\w{4}-){3}\w{4}/.exec(mail?.text ?? '') ?? []
  const balance = async () => (await request(`GET /vouchers/${code}`, { store })).data.amount_remaining

  assert.equal(await balance(), 12)
  const cart = await fillCart(store, shop.variantId)
  const { data } = await checkOut(shop, { cart, body: { voucher_code: code } })
  await drainJobs()
  assert.equal(await balance(), 0)
  const charged = await confirm(await referenceOf(store, data.payment.id))
  assert.equal(charged.amount, 300)
  await notify('payment_intent.succeeded', charged)

  const { data: detail } = await request(`GET /admin/orders/${data.order.id}`, { token })
  assert.partialDeepStrictEqual(detail, { payment_status: 'paid', amount_captured: 15, voucher_total: 12 })
  await withWorker(request(`PATCH /admin/orders/${data.order.id}`, { token, body: { status: 'refunded' } }))
  assert.equal(await balance(), 12)
  const [found] = (await request(`GET /admin/vouchers?q=${code}`, { token })).data
  const { data: ledger } = await request(`GET /admin/vouchers/${found.id}/transactions`, { token })
  assert.deepEqual(
    ledger.map(({ kind, amount, balance }: Record<string, unknown>) => ({ kind, amount, balance })).reverse(),
    [
      { kind: 'issue', amount: 12, balance: 12 },
      { kind: 'reserve', amount: 12, balance: 0 },
      { kind: 'capture', amount: 12, balance: 0 },
      { kind: 'refund', amount: 12, balance: 12 },
    ],
  )
})

test('a gift voucher keeps its value when staff accept a smaller payment, until a refund', async () => {
  const shop = await buildShop()
  const { order: placed, payment, bought } = await orderVoucher(shop)
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  const intent = await confirm(await referenceOf(shop.store, payment.id))
  await notify('payment_intent.succeeded', { ...intent, amount_received: 1_900 })

  const accepted = await request(`POST /admin/orders/${placed.id}/resolve-payment`, {
    token,
    body: { payment_id: payment.id, decision: 'accept' },
  })
  const { remainingMinor: beforeMinor } = await bought()
  await assertBooks([shop.store.id])
  await inStore(shop.store.id, (tx) =>
    requestRefund(tx, placed.id, { amountMinor: 900n }, requester('staff:1')),
  )
  const { remainingMinor: afterMinor } = await bought()

  assert.equal(accepted.status, 200)
  // 10.00 of the payment are left, and so is that much of the voucher.
  assert.deepEqual({ beforeMinor, afterMinor }, { beforeMinor: 2_500n, afterMinor: 1_000n })
  await drainJobs()
})

testBooks()
