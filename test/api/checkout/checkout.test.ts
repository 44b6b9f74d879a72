import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { CartItem } from '#shared/cart/cart.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildShippingMethod } from '#test/support/builders/methods.ts'
import { ADDRESS } from '#test/support/builders/orders.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'

test('a guest pays by card with the client secret of the opened payment', async () => {
  const shop = await buildShop()
  const { store, variantId } = shop
  const cart = await fillCart(store, variantId, 2)

  const { status, data } = await withWorker(checkOut(shop, { cart, waitForPayment: true }))

  assert.equal(status, 201)
  const { order, payment } = data
  assert.match(order.number, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
  assert.equal(order.status, 'pending')
  assert.equal(order.payment_status, 'unpaid')
  assert.partialDeepStrictEqual(order, { subtotal: 20, shipping_total: 5, total: 25 })
  assert.ok(order.access_token)
  assert.equal(payment.status, 'requires_action')
  assert.match(payment.client_secret, /^pi_.*_secret_/)
  const intent = gateway
    .ledger()
    .payment_intents.find(({ client_secret }) => client_secret === payment.client_secret)
  assert.equal(intent?.amount, 2500)
  assert.equal(intent?.currency, 'eur')
  assert.deepEqual(intent?.metadata, { store_id: store.id, order_id: order.id, payment_id: payment.id })
  assert.deepEqual(await stockOf(store, variantId), { onHand: 100, allocated: 0, held: 2 })
  assert.deepEqual((await request('GET /cart', { store, cart })).data.items, [])
})

test('without a worker or with respond-async the payment is pending, and pay returns the secret later', async () => {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)

  const { data } = await checkOut(shop, { cart })

  assert.equal(data.payment.status, 'pending')
  assert.equal(data.payment.client_secret, undefined)
  await drainJobs()
  const again = await request(`POST /orders/${data.order.id}/pay?access_token=${data.order.access_token}`, {
    store: shop.store,
    key: randomUUID(),
    body: {},
  })
  assert.equal(again.data.payment.id, data.payment.id)
  assert.ok(again.data.payment.client_secret)
})

test('a bank transfer order is pending with its stock held and without a payment', async () => {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId, 3)

  const { data } = await checkOut(shop, { cart, body: { payment_method: 'bank_transfer' } })

  assert.equal(data.payment, null)
  assert.equal(data.order.status, 'pending')
  assert.equal(data.order.expires_at, null)
  assert.deepEqual(await stockOf(shop.store, shop.variantId), { onHand: 100, allocated: 0, held: 3 })
})

test('an order paid on delivery is processing with its stock allocated', async () => {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId, 3)

  const { data } = await checkOut(shop, { cart, body: { payment_method: 'cash_on_delivery' } })

  assert.equal(data.payment, null)
  assert.equal(data.order.status, 'processing')
  assert.equal(data.order.payment_status, 'unpaid')
  assert.deepEqual(await stockOf(shop.store, shop.variantId), { onHand: 100, allocated: 3, held: 0 })
})

test('a free order is paid', async () => {
  const { store } = await buildShop()
  const { variants } = await buildProduct(store, { priceMinor: 0n })
  const shipping = await buildShippingMethod(store, { priceMinor: 0n })
  const cart = await fillCart(store, variants[0]?.id ?? '')

  const { data } = await checkOut({ store, shipping }, { cart })

  assert.equal(data.payment, null)
  assert.partialDeepStrictEqual(data.order, { status: 'processing', payment_status: 'paid' })
})

test("a customer's checkout includes the guest cart of the same browser", async () => {
  const shop = await buildShop()
  const { store, variantId } = shop
  const customer = await buildCustomer(store)
  await request('POST /cart/items', {
    store,
    token: customer.token,
    body: { variant_id: variantId, quantity: 1 },
  })
  const cart = await fillCart(store, variantId, 2)

  const { data } = await checkOut(shop, {
    cart,
    token: customer.token,
    body: { payment_method: 'cash_on_delivery', email: undefined },
  })

  assert.equal(data.order.customer_id, customer.id)
  assert.equal(data.order.email, customer.email)
  assert.equal(data.order.access_token, undefined)
  assert.deepEqual(
    data.order.items.map(({ quantity }: { quantity: number }) => quantity),
    [3],
  )
})

test('a guest checkout without an e-mail address returns 422', async () => {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)

  const { status, detail } = await checkOut(shop, { cart, body: { email: undefined } }).then((a) => ({
    status: a.status,
    detail: (a as unknown as { body: { detail: { loc: string[] }[] } }).body.detail,
  }))

  assert.equal(status, 422)
  assert.deepEqual(detail[0]?.loc, ['body', 'email'])
})

test('a store without guest checkout returns 401 to guests', async () => {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)
  await inStore(shop.store.id, (tx) =>
    tx.knex('stores').where('id', shop.store.id).update({ guest_checkout_enabled: false }),
  )

  const { status, error_code } = await checkOut(shop, { cart })

  assert.deepEqual({ status, error_code }, { status: 401, error_code: 'checkout.login_required' })
})

test("an empty cart, no cart and another store's cart return checkout.cart_empty", async () => {
  const shop = await buildShop()
  const other = await buildShop()
  const foreign = await fillCart(other.store, other.variantId)

  for (const cart of [undefined, 'made-up', foreign]) {
    const { status, error_code } = await checkOut(shop, cart ? { cart } : {})
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'checkout.cart_empty' })
  }
})

test('an order below the minimum, without shipping, returns 422', async () => {
  const shop = await buildShop(100, { minOrderTotalMinor: 1_001n })
  const cart = await fillCart(shop.store, shop.variantId)

  const { status, error_code, error } = await checkOut(shop, { cart })

  assert.deepEqual({ status, error_code }, { status: 422, error_code: 'checkout.min_order_not_met' })
  assert.match(error ?? '', /10\.01 EUR.*10/)
  assert.equal(
    (await request('GET /cart', { store: shop.store, cart })).data.items.length,
    1,
    'the cart stays',
  )
})

test('an inactive or unknown payment method returns 422', async () => {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)
  await inStore(shop.store.id, (tx) =>
    tx.knex('payment_methods').where('code', 'card').update({ is_active: false }),
  )

  for (const payment_method of ['card', 'shells']) {
    const { status, error_code } = await checkOut(shop, { cart, body: { payment_method } })
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'checkout.payment_method_disabled' })
  }
})

test("a shipping method for other places, an inactive one and another store's return 422", async () => {
  const shop = await buildShop()
  const other = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)
  const abroad = await buildShippingMethod(shop.store, { countries: ['FR'] })
  const off = await buildShippingMethod(shop.store, { isActive: false })

  for (const { id } of [abroad, off, other.shipping]) {
    const { status, error_code } = await checkOut(shop, { cart, body: { shipping_method_id: id } })
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'checkout.shipping_unavailable' })
  }
})

test('a total above the maximum returns 422, also after a price change', async () => {
  const shop = await buildShop()
  const { id, variants } = await buildProduct(shop.store, { priceMinor: 900_000_000_000n })
  const dear = variants[0]?.id ?? ''
  const cart = await fillCart(shop.store, dear)

  const more = await request('POST /cart/items', {
    store: shop.store,
    cart,
    body: { variant_id: dear, quantity: 1 },
  })
  const { items } = (await request('GET /cart', { store: shop.store, cart })).data
  const changed = await request(`PATCH /cart/items/${items[0].id}`, {
    store: shop.store,
    cart,
    body: { quantity: 2 },
  })
  await inStore(shop.store.id, (tx) =>
    tx.knex('products').where({ store_id: shop.store.id, id }).update({ price_minor: 99_999_999_999_900n }),
  )
  const { status, error_code } = await checkOut(shop, { cart })
  const removed = await request(`DELETE /cart/items/${items[0].id}`, { store: shop.store, cart })

  assert.deepEqual({ status: removed.status, items: removed.data.items }, { status: 200, items: [] })
  for (const answer of [more, changed])
    assert.partialDeepStrictEqual(answer, { status: 422, error_code: 'cart.total_too_large' })
  assert.deepEqual({ status, error_code }, { status: 422, error_code: 'cart.total_too_large' })
  assert.deepEqual(await stockOf(shop.store, dear), { onHand: 100, allocated: 0, held: 0 })
})

test('an unexpected total returns 409 checkout.price_changed', async () => {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)

  const changed = await checkOut(shop, { cart, body: { expected_total: 14.99 } })
  assert.partialDeepStrictEqual(changed, { status: 409, error_code: 'checkout.price_changed' })
  const finer = await checkOut(shop, { cart, body: { expected_total: 15.001 } })
  assert.equal(finer.error_code, 'validation.failed')
  const agreed = await checkOut(shop, { cart, body: { expected_total: 15 } })
  assert.equal(agreed.status, 201)
})

test('a checkout needs an idempotency key, and repeating it places no second order', async () => {
  const shop = await buildShop()
  const { store, variantId } = shop
  const cart = await fillCart(store, variantId)
  const without = await request('POST /checkout', { store, cart, body: {} })
  assert.ok(['idempotency.key_required', 'validation.failed'].includes(without.error_code ?? ''))

  const key = randomUUID()
  const body = { payment_method: 'cash_on_delivery', email: 'same@example.test' }
  const answers = await Promise.all(Array.from({ length: 12 }, () => checkOut(shop, { cart, key, body })))
  const settled = await checkOut(shop, { cart, key, body })

  assert.equal(settled.status, 201)
  assert.equal(settled.headers.get('Idempotent-Replayed'), 'true')
  for (const { status, data, error_code } of answers)
    assert.ok(
      status === 201 ? data.order.id === settled.data.order.id : error_code === 'idempotency.in_progress',
    )
  const orders = await inStore(store.id, (tx) => tx.knex('orders').select('id'))
  assert.equal(orders.length, 1)
})

test('a response lists all validation errors of a request', async () => {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)

  const { body } = (await checkOut(shop, {
    cart,
    body: {
      email: 'no',
      firstname: ' ',
      telephone: 'x'.repeat(41),
      shipping_address: { ...ADDRESS, country: 'Germany', planet: 'Earth' },
      shipping_method_id: 'x',
      expected_total: -1,
      when: 'LATER',
    },
  })) as unknown as { body: { detail: { loc: string[]; type: string }[] } }

  assert.deepEqual(Object.fromEntries(body.detail.map(({ loc, type }) => [loc.join('.'), type])), {
    'body.email': 'string_pattern_mismatch',
    'body.expected_total': 'greater_than_equal',
    'body.firstname': 'string_pattern_mismatch',
    'body.shipping_address.country': 'string_pattern_mismatch',
    'body.shipping_address.planet': 'extra_forbidden',
    'body.shipping_method_id': 'uuid_parsing',
    'body.telephone': 'string_too_long',
    'body.when': 'extra_forbidden',
  })
  assert.equal(body.detail.length, 8)
})

test('a cart line of another store cannot be bought', async () => {
  const shop = await buildShop()
  const other = await buildStore()

  await assert.rejects(
    inStore(other.id, (tx) =>
      CartItem.in(tx).insert({
        cartId: randomUUID(),
        variantId: shop.variantId,
        quantity: 1,
        createdAt: new Date(),
      }),
    ),
  )
})

testBooks()
