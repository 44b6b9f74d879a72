import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildAffiliate } from '#test/support/builders/affiliates.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { buildVoucher, ledgerOf, readVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

/**
 * A complete and unpaid order of 2 of 10 units, 25.00, to pay on delivery. A voucher pays 5.00 of it, and the link of
 * an affiliate led to it.
 */
async function scene() {
  const shop = await buildShop(10)
  const { store, variantId } = shop
  const voucher = await buildVoucher(store, { amountMinor: 500n })
  const affiliate = await buildAffiliate(store)
  const { token } = await buildStaff(store, { role: 'administrator' })
  const cart = await fillCart(store, variantId, 2)
  const body = {
    payment_method: 'cash_on_delivery',
    voucher_code: voucher.code,
    tracking_code: affiliate.code,
  }
  const { order } = (await checkOut(shop, { cart, body })).data
  const staff = (line: string, sent?: object) => request(line, { token, ...(sent ? { body: sent } : {}) })
  const change = (sent: object) => staff(`PATCH /admin/orders/${order.id}`, sent)
  await change({ status: 'complete' })
  return {
    store,
    order,
    staff,
    change,
    cancel: (sent: object = {}) => change({ status: 'canceled', ...sent }),
    onHand: async () => (await stockOf(store, variantId)).onHand,
    ledger: () => ledgerOf(store, voucher.id),
    remainingMinor: async () => (await readVoucher(store, voucher.id)).remainingMinor,
    commission: async () => (await staff(`GET /admin/affiliates/${affiliate.id}`)).data.balance,
    /** Both units arrive with a return, and are sellable. */
    async receiveReturn() {
      const items = [{ order_item_id: order.items[0].id, quantity: 2, reason: 'unwanted' }]
      const asked = await staff('POST /admin/returns', { order_id: order.id, action: 'refund', items })
      const { id } = asked.data
      await staff(`POST /admin/returns/${id}/approve`, {})
      const arrived = [{ id: asked.data.items[0].id, quantity: 2, disposition: 'restocked' }]
      await staff(`POST /admin/returns/${id}/receive`, { items: arrived })
      return {
        restock: () => staff(`POST /admin/returns/${id}/restock`),
        status: async () => (await staff(`GET /admin/returns/${id}`)).data.status,
      }
    },
  }
}

test('staff cancel a complete order that nobody paid: its voucher is released, and nothing is earned', async () => {
  const { cancel, ledger, remainingMinor, commission, onHand } = await scene()

  const { status, data } = await cancel({ restock: true })
  await drainJobs()

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data, { status: 'canceled', payment_status: 'unpaid' })
  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'release 500'])
  assert.equal(await remainingMinor(), 500n)
  assert.equal(await onHand(), 10)
  assert.partialDeepStrictEqual(await commission(), { pending: 0, payable: 0, paid: 0 })
})

test('canceling completes a received return of the order, whose units return to stock once', async () => {
  const { cancel, receiveReturn, onHand } = await scene()
  const rma = await receiveReturn()
  await rma.restock()
  const before = await rma.status()

  await cancel({ restock: true })
  await drainJobs()

  assert.deepEqual({ before, after: await rma.status() }, { before: 'received', after: 'completed' })
  assert.equal(await onHand(), 10)
})

test('a return of the canceled order that is restocked later is completed then', async () => {
  const { cancel, receiveReturn, onHand } = await scene()
  const rma = await receiveReturn()
  await cancel()
  await drainJobs()
  const before = await rma.status()

  await rma.restock()

  assert.deepEqual({ before, after: await rma.status() }, { before: 'received', after: 'completed' })
  assert.equal(await onHand(), 10)
})

test('canceling a complete order that is paid returns 409 order.refund_required', async () => {
  const { order, staff, cancel } = await scene()
  await staff(`POST /admin/orders/${order.id}/mark-paid`, {})

  assert.partialDeepStrictEqual(await cancel(), { status: 409, error_code: 'order.refund_required' })
})

test("a buyer's cancellation of a complete order returns 409 order.invalid_transition", async () => {
  const { store, order, remainingMinor } = await scene()

  const answer = await request(`POST /orders/${order.id}/cancel?access_token=${order.access_token}`, {
    store,
  })

  assert.partialDeepStrictEqual(answer, { status: 409, error_code: 'order.invalid_transition' })
  assert.equal(await remainingMinor(), 0n)
})

testBooks()
