import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { ignoreBooksOf, testBooks } from '#test/support/books/test-books.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { request } from '#test/support/processes/app.ts'
import { barrier } from '#test/support/races/barrier.ts'

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
  const meet = barrier(2)
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
    events.map(({ type, data: payload }) => ({
      type,
      variant_id: payload.variant_id,
      stock_available: payload.stock_available,
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

testBooks()
