import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { issuePublishableKey } from '#shared/stores/publishable-keys/issue-publishable-key.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import { moveToProduction } from '#test/support/processes/production.ts'

test('play money pays immediately and is refunded without a gateway', async () => {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  const cart = await fillCart(shop.store, shop.variantId, 2)

  const { status, data } = await checkOut(shop, { cart, body: { payment_method: 'sandbox' } })

  assert.equal(status, 201)
  const { order, payment } = data
  assert.partialDeepStrictEqual(payment, { provider: 'sandbox', status: 'captured', expires_at: null })
  assert.partialDeepStrictEqual(order, { status: 'processing', payment_status: 'paid', amount_captured: 25 })
  assert.deepEqual(await stockOf(shop.store, shop.variantId), { onHand: 100, allocated: 2, held: 0 })
  const path = `/admin/orders/${order.id}`
  const part = await request(`POST ${path}/refunds`, { token, key: randomUUID(), body: { amount: 5 } })
  const rest = await request(`PATCH ${path}`, { token, body: { status: 'refunded' } })
  assert.equal(part.status, 201)
  assert.equal(part.data.status, 'succeeded')
  assert.equal(rest.status, 200)
  assert.partialDeepStrictEqual(rest.data, { status: 'refunded', amount_refunded: 25 })
})

test('play money pays the rest after a gift voucher', async () => {
  const shop = await buildShop()
  const { code } = await buildVoucher(shop.store, { amountMinor: 500n })
  const cart = await fillCart(shop.store, shop.variantId)

  const { data } = await checkOut(shop, { cart, body: { payment_method: 'sandbox', voucher_code: code } })

  assert.partialDeepStrictEqual(data.order, { status: 'processing', payment_status: 'paid', total: 15 })
  const payments = await inStore(shop.store.id, (tx) => Payment.in(tx).where('order_id', data.order.id))
  assert.deepEqual(
    payments.map(({ provider, amountMinor, status }) => ({ provider, amountMinor, status })),
    [{ provider: 'sandbox', amountMinor: 1_000n, status: 'captured' }],
  )
})

test('the payment method sandbox is rejected in production', async (t) => {
  const shop = await buildShop()
  const { key } = await inStore(shop.store.id, (tx) => issuePublishableKey(tx, null, { mode: 'live' }))
  const store = { ...shop.store, key }
  const cart = await fillCart(store, shop.variantId)
  moveToProduction(t)

  const refused = await checkOut({ ...shop, store }, { cart, body: { payment_method: 'sandbox' } })
  const shown = await request('GET /settings/payment-methods', { store })

  assert.partialDeepStrictEqual(refused, { status: 422, error_code: 'checkout.payment_method_disabled' })
  assert.ok(!shown.data.some(({ code }: { code: string }) => code === 'sandbox'))
})

testBooks()
