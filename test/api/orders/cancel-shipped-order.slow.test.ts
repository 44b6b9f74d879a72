import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildVoucher, ledgerOf, readVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'

/** An order of 3 of 10 units, 35.00, to pay on delivery; all units are shipped, or that many. */
async function scene({ shipped }: { shipped?: number } = {}) {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 10 }] })
  const variantId = variants[0]?.id ?? ''
  const voucher = await buildVoucher(store, { amountMinor: 500n })
  const { token } = await buildStaff(store, { role: 'accounting' })
  const order = await buildOrder(store, {
    items: [{ variantId, quantity: 3 }],
    paymentMethod: 'cash_on_delivery',
    voucherCode: voucher.code,
  })
  const change = (body: object) => request(`PATCH /admin/orders/${order.id}`, { token, body })
  const items = [{ order_item_id: order.items[0]?.id ?? '', quantity: shipped }]
  if (shipped) await request(`POST /admin/orders/${order.id}/shipments`, { token, body: { items } })
  else await change({ status: 'shipped' })
  const pay = () => request(`POST /admin/orders/${order.id}/mark-paid`, { token, body: {} })
  const onHand = async () => (await stockOf(store, variantId)).onHand
  return { store, token, order, voucher, variantId, change, pay, onHand }
}

const canceled = { status: 'canceled' }

test('staff cancel an order that was refused on delivery, and restock its goods', async () => {
  const { store, token, order, voucher, variantId, change, onHand } = await scene()

  const { status, data } = await change({ ...canceled, restock: true, note: 'Refused at the door' })

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data, { status: 'canceled', payment_status: 'unpaid' })
  assert.equal(await onHand(), 10)
  assert.equal((await readVoucher(store, voucher.id)).remainingMinor, 500n)
  const { data: detail } = await request(`GET /admin/orders/${order.id}`, { token })
  assert.partialDeepStrictEqual(detail.history.at(-1), {
    from_status: 'shipped',
    to_status: 'canceled',
    note: 'Refused at the door',
  })
  const { token: catalog } = await buildStaff(store, { role: 'catalog' })
  const movements = await request(`GET /admin/variants/${variantId}/stock`, { token: catalog })
  assert.partialDeepStrictEqual(movements.data[0], { delta: 3, reason: 'return', reference: order.id })
})

test('goods returned after the cancellation are restocked once by a repeated request', async () => {
  const { change, onHand } = await scene()
  await change(canceled)
  assert.equal(await onHand(), 7)

  const repeat = await change({ ...canceled, restock: true })
  const again = await change({ ...canceled, restock: true })

  assert.deepEqual({ repeat: repeat.status, again: again.status }, { repeat: 200, again: 200 })
  assert.equal(await onHand(), 10)
})

test('restock with another status or without one returns 422 at restock', async () => {
  const { change, onHand } = await scene()

  for (const body of [
    { status: 'complete', restock: true },
    { note: 'Back', restock: true },
  ]) {
    const { status, detail } = await change(body)
    assert.equal(status, 422)
    assert.deepEqual(detail?.[0]?.loc, ['body', 'restock'])
  }
  assert.equal(await onHand(), 7)
})

test('canceling a shipped order that is paid returns 409 order.refund_required', async () => {
  const { change, pay } = await scene()
  await pay()

  assert.partialDeepStrictEqual(await change(canceled), { status: 409, error_code: 'order.refund_required' })
})

for (const shipped of [1, undefined])
  test(`a buyer's cancellation of an order of which ${shipped ?? 'all'} is shipped returns 409`, async () => {
    const { store, order, voucher } = await scene(shipped ? { shipped } : {})

    const answer = await request(`POST /orders/${order.id}/cancel?access_token=${order.accessToken}`, {
      store,
    })

    assert.partialDeepStrictEqual(answer, { status: 409, error_code: 'order.invalid_transition' })
    assert.match(String(answer.error), /with shipped units.* Record a return/)
    assert.equal((await readVoucher(store, voucher.id)).remainingMinor, 0n)
  })

test('staff cancel an order that shipped in part and was refused, and restock its goods', async () => {
  const { change, onHand } = await scene({ shipped: 1 })
  assert.equal(await onHand(), 9)

  const { status } = await change({ ...canceled, restock: true })

  assert.equal(status, 200)
  assert.equal(await onHand(), 10)
})

test('of a concurrent cancellation and mark-paid exactly one succeeds, and the voucher ends once', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { store, voucher, change, pay } = await scene()

    const [cancellation, payment] = await Promise.all([change({ ...canceled, restock: true }), pay()])

    const isCanceled = cancellation.status === 200
    assert.notEqual(isCanceled, payment.status === 200)
    assert.deepEqual(await ledgerOf(store, voucher.id), [
      'issue 500',
      'reserve 500',
      isCanceled ? 'release 500' : 'capture 500',
    ])
  }
})

testBooks()
