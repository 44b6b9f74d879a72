import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/gateway.ts'
import { CartItem } from '#shared/cart/cart.ts'
import { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { issuePublishableKey } from '#shared/stores/issue-publishable-key.ts'
import { request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildCustomer, buildStaff } from '#test/support/build-accounts.ts'
import { buildProduct } from '#test/support/build-catalog.ts'
import { buildShippingMethod } from '#test/support/build-methods.ts'
import { ADDRESS } from '#test/support/build-orders.ts'
import { buildVoucher } from '#test/support/build-vouchers.ts'
import { gateway } from '#test/support/gateway.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { meetingPoint } from '#test/support/meeting-point.ts'
import { stockOf } from '#test/support/observe-orders.ts'
import { buildShop, checkOut, fillCart } from '#test/support/place-orders.ts'
import { moveToProduction } from '#test/support/production.ts'
import { ignoreBooksOf, testBooks } from '#test/support/test-books.ts'
import { withWorker } from '#test/support/with-worker.ts'

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
  await inStore(shop.store.id, (tx) =>
    tx.knex('products').where({ store_id: shop.store.id, id }).update({ price_minor: 99_999_999_999_900n }),
  )
  const { status, error_code } = await checkOut(shop, { cart })

  assert.partialDeepStrictEqual(more, { status: 422, error_code: 'cart.total_too_large' })
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

test('insufficient stock names the lines and reserves nothing', async () => {
  const shop = await buildShop(5)
  const { store } = shop
  const scarce = await buildProduct(store, { nameI18n: { en: 'Last lamp' }, variants: [{ stockOnHand: 1 }] })
  const cart = await fillCart(store, shop.variantId, 2)
  await request('POST /cart/items', { store, cart, body: { product_id: scarce.id, quantity: 2 } })

  const { status, error_code, error } = await checkOut(shop, { cart })

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'checkout.insufficient_stock' })
  assert.match(error ?? '', /Last lamp .*1 of 2/)
  assert.doesNotMatch(error ?? '', /Product/)
  assert.deepEqual(await stockOf(store, shop.variantId), { onHand: 5, allocated: 0, held: 0 })
  assert.equal((await request('GET /cart', { store, cart })).data.items.length, 2)
})

test('a variant that is no longer sold counts as out of stock', async () => {
  const shop = await buildShop()
  const { store } = shop
  const gone = await buildProduct(store, { nameI18n: { en: 'Gone' } })
  const cart = await fillCart(store, gone.variants[0]?.id ?? '')
  await inStore(store.id, (tx) => tx.knex('products').where('id', gone.id).update({ is_active: false }))

  const { error_code, error } = await checkOut(shop, { cart })

  assert.equal(error_code, 'checkout.insufficient_stock')
  assert.match(error ?? '', /Gone .*0 of 1/)
})

test('a variant on backorder is sold past its stock', async () => {
  const { store, shipping } = await buildShop()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 1, backorder: true }] })
  const variantId = variants[0]?.id ?? ''
  const cart = await fillCart(store, variantId, 5)

  const { status } = await checkOut(
    { store, shipping },
    { cart, body: { payment_method: 'cash_on_delivery' } },
  )

  assert.equal(status, 201)
  assert.deepEqual(await stockOf(store, variantId), { onHand: 1, allocated: 5, held: 0 })
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

test('concurrent checkouts of one cart place one order', async () => {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => checkOut(shop, { cart, body: { payment_method: 'cash_on_delivery' } })),
  )

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(422)])
})

test('concurrent checkouts sell each unit once', async () => {
  const shop = await buildShop(10)
  const { store, variantId } = shop
  const carts = await Promise.all(Array.from({ length: 40 }, () => fillCart(store, variantId)))

  const answers = await Promise.all(
    carts.map((cart) => checkOut(shop, { cart, body: { payment_method: 'cash_on_delivery' } })),
  )

  assert.equal(answers.filter(({ status }) => status === 201).length, 10)
  assert.ok(
    answers.every(({ status, error_code }) => status === 201 || error_code === 'checkout.insufficient_stock'),
  )
  assert.deepEqual(await stockOf(store, variantId), { onHand: 10, allocated: 10, held: 0 })
})

test('control: reading the stock before taking it sells units twice', async () => {
  const { store, variantId } = await buildShop(1)
  ignoreBooksOf(store)
  const meet = meetingPoint(2)
  const naive = () =>
    inStore(store.id, async (tx) => {
      const row = await tx.knex('product_variants').where('id', variantId).first()
      await meet()
      if (row.stock_on_hand - row.stock_allocated < 1) return 0
      await tx
        .knex('product_variants')
        .where('id', variantId)
        .update({ stock_allocated: row.stock_allocated + 1 })
      return 1
    })

  assert.deepEqual(await Promise.all([naive(), naive()]), [1, 1])
  assert.equal((await stockOf(store, variantId)).allocated, 1)
})

test('orders of the same variants in different order do not deadlock', async () => {
  const shop = await buildShop(100)
  const { store } = shop
  const products = await Promise.all([1, 2, 3].map(() => buildProduct(store)))
  const ids = products.map(({ variants }) => variants[0]?.id ?? '')
  const cartOf = async (order: string[]) => {
    let cart = ''
    for (const id of order) {
      const body = { variant_id: id, quantity: 1 }
      const { data } = await request('POST /cart/items', { store, ...(cart ? { cart } : {}), body })
      cart ||= data.token
    }
    return cart
  }
  const carts = await Promise.all(
    Array.from({ length: 20 }, (_, i) => cartOf(i % 2 ? ids : ids.toReversed())),
  )

  const answers = await Promise.all(
    carts.map((cart) => checkOut(shop, { cart, body: { payment_method: 'cash_on_delivery' } })),
  )

  assert.ok(answers.every(({ status }) => status === 201))
})

test('stock running out and returning emits events', async () => {
  const shop = await buildShop(2)
  const { store, variantId } = shop
  const cart = await fillCart(store, variantId, 2)
  const { data } = await checkOut(shop, { cart })
  await request(`POST /orders/${data.order.id}/cancel?access_token=${data.order.access_token}`, { store })

  const events = await inStore(store.id, (tx) =>
    tx.knex('events').where('type', 'like', 'product.%stock').orderBy('id').select('type', 'data'),
  )

  assert.deepEqual(
    events.map(({ type, data: told }) => ({
      type,
      variant_id: told.variant_id,
      stock_available: told.stock_available,
    })),
    [
      { type: 'product.out_of_stock', variant_id: variantId, stock_available: 0 },
      { type: 'product.back_in_stock', variant_id: variantId, stock_available: 2 },
    ],
  )
})

test('a change of stock raises the catalog version', async () => {
  const shop = await buildShop()
  const version = async () =>
    (
      await inStore(shop.store.id, (tx) =>
        tx.knex('catalog_versions').where('store_id', shop.store.id).first(),
      )
    ).version
  const cart = await fillCart(shop.store, shop.variantId)
  const before = await version()

  await checkOut(shop, { cart })

  assert.ok((await version()) > before)
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

test('play money pays at once and is refunded without a gateway', async () => {
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

test('play money is rejected in production', async (t) => {
  const shop = await buildShop()
  const { key } = await inStore(shop.store.id, (tx) => issuePublishableKey(tx, { mode: 'live' }))
  const store = { ...shop.store, key }
  const cart = await fillCart(store, shop.variantId)
  moveToProduction(t)

  const refused = await checkOut({ ...shop, store }, { cart, body: { payment_method: 'sandbox' } })
  const shown = await request('GET /settings/payment-methods', { store })

  assert.partialDeepStrictEqual(refused, { status: 422, error_code: 'checkout.payment_method_disabled' })
  assert.ok(!shown.data.some(({ code }: { code: string }) => code === 'sandbox'))
})

testBooks()
