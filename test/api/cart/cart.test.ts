import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

const DAY_MS = 24 * 3600 * 1000
const UNKNOWN = '01992e10-5a70-7b1c-8f2d-3e4a5b6c7d8e'

async function scene() {
  const store = await buildStore({ minOrderTotalMinor: 2_000n })
  const product = await buildProduct(store, {
    nameI18n: { en: 'Mug', de: 'Becher' },
    variants: [{ stockOnHand: 5 }],
  })
  const variantId = product.variants[0]?.id ?? ''
  const add = (body: object, as: object = {}) => request('POST /cart/items', { store, body, ...as })
  return { store, product, variantId, add }
}

test('a guest without a cart gets one and its token', async () => {
  const { store, product, variantId, add } = await scene()

  const added = await add({ variant_id: variantId, quantity: 2 })

  assert.equal(added.status, 201)
  const { id, token, items, ...rest } = added.data
  assert.ok(id)
  assert.deepEqual(rest, {
    currency: 'EUR',
    prices_include_tax: false,
    coupon: null,
    subtotal: 20,
    discount_total: 0,
    shipping_total: 0,
    shipping_tax_total: 0,
    tax_total: 0,
    taxes: [],
    net_total: 20,
    total: 20,
    card_total: 20,
    card_rounding: 0,
    min_order_total: 20,
    guest_checkout_enabled: true,
    metadata: {},
  })
  assert.equal(items.length, 1)
  assert.deepEqual(items[0], {
    id: items[0].id,
    product_id: product.id,
    variant_id: variantId,
    name: 'Mug',
    sku: product.variants[0]?.sku,
    quantity: 2,
    unit_price: 10,
    line_total: 20,
    discount_total: 0,
    tax_total: 0,
    net_total: 20,
    total: 20,
    image_url: '',
    available: true,
    variant: { price: 10, sale_price: null },
    recurring: null,
    voucher: null,
  })
  const again = await request('GET /cart', { store, cart: token })
  assert.deepEqual(again.data.items, items)
  assert.equal(again.data.token, undefined, 'the token is shown once')
})

test('the cart token is stored as a hash', async () => {
  const { store, variantId, add } = await scene()
  const { token } = (await add({ variant_id: variantId, quantity: 1 })).data

  const rows = await inStore(store.id, (tx) => tx.knex('carts').select())

  assert.ok(
    !JSON.stringify(rows.map((row) => ({ ...row, token_hash: row.token_hash.toString() }))).includes(token),
  )
})

test('adding a variant again increases the quantity of its line', async () => {
  const { variantId, product, add } = await scene()
  const { token } = (await add({ variant_id: variantId, quantity: 1 })).data

  const { data } = await add({ product_id: product.id, quantity: 2 }, { cart: token })

  assert.deepEqual(
    data.items.map((item: { quantity: number }) => item.quantity),
    [3],
  )
})

test('a line may exceed the stock and is not available', async () => {
  const { variantId, add } = await scene()

  const { data } = await add({ variant_id: variantId, quantity: 6 })

  assert.equal(data.items[0].available, false)
})

test('names are in the requested language', async () => {
  const { variantId, add } = await scene()

  const { data } = await add({ variant_id: variantId, quantity: 1 }, { headers: { 'Accept-Language': 'de' } })

  assert.equal(data.items[0].name, 'Becher')
})

test('a line shows the current price, including a sale', async () => {
  const store = await buildStore()
  const salePriceMinor = 750n
  const saleEndsAt = new Date(Date.now() + DAY_MS)
  const { variants } = await buildProduct(store, { variants: [{ salePriceMinor, saleEndsAt }] })
  const body = { variant_id: variants[0]?.id, quantity: 2 }
  const { token, items } = (await request('POST /cart/items', { store, body })).data
  assert.equal(items[0].unit_price, 7.5)
  assert.deepEqual(items[0].variant, { price: 10, sale_price: 7.5 })

  moveClock(2 * DAY_MS)
  const { data } = await request('GET /cart', { store, cart: token })

  assert.equal(data.items[0].unit_price, 10)
  assert.equal(data.total, 20)
  assert.equal(data.items[0].variant.sale_price, null)
})

test('a variant that is no longer sold has the price 0', async () => {
  const { store, product, variantId, add } = await scene()
  const { token } = (await add({ variant_id: variantId, quantity: 2 })).data
  await inStore(store.id, (tx) => tx.knex('products').where('id', product.id).update({ is_active: false }))

  const { data } = await request('GET /cart', { store, cart: token })

  assert.equal(data.items[0].available, false)
  assert.equal(data.items[0].unit_price, 0)
  assert.equal(data.total, 0)
})

test('the quantity of a line is set, and a line is removed', async () => {
  const { store, variantId, add } = await scene()
  const { token, items } = (await add({ variant_id: variantId, quantity: 2 })).data
  const line = `/cart/items/${items[0].id}`

  const changed = await request(`PATCH ${line}`, { store, cart: token, body: { quantity: 4 } })
  assert.equal(changed.data.total, 40)
  const removed = await request(`DELETE ${line}`, { store, cart: token })
  assert.deepEqual(removed.data.items, [])
  const gone = await request(`DELETE ${line}`, { store, cart: token })
  assert.equal(gone.error_code, 'resource.not_found')
})

test('clearing a cart removes its lines; clearing no cart succeeds', async () => {
  const { store, variantId, add } = await scene()
  const { token } = (await add({ variant_id: variantId, quantity: 2 })).data

  assert.equal((await request('DELETE /cart', { store, cart: token })).status, 200)

  assert.deepEqual((await request('GET /cart', { store, cart: token })).data.items, [])
  assert.equal((await request('DELETE /cart', { store })).status, 200)
})

test('a customer has one cart in all sessions', async () => {
  const { store, variantId, add } = await scene()
  const { token } = await buildCustomer(store)

  const [first, second] = await Promise.all([
    add({ variant_id: variantId, quantity: 1 }, { token }),
    add({ variant_id: variantId, quantity: 1 }, { token }),
  ])

  assert.equal(first.data.id, second.data.id)
  assert.equal(first.data.token, undefined)
  assert.equal((await request('GET /cart', { store, token })).data.items[0].quantity, 2)
})

test('a guest without a cart sees an empty cart', async () => {
  const { store } = await scene()

  for (const cart of [undefined, 'made-up']) {
    const { data } = await request('GET /cart', { store, ...(cart ? { cart } : {}) })
    assert.equal(data.id, null)
    assert.deepEqual(data.items, [])
  }
})

test('an unknown token creates a new cart with a new token', async () => {
  const { variantId, add } = await scene()

  const { data } = await add({ variant_id: variantId, quantity: 1 }, { cart: 'made-up' })

  assert.ok(data.token && data.token !== 'made-up')
})

test('a guest cart expires 30 days after its last change', async () => {
  const { store, variantId, add } = await scene()
  const { token } = (await add({ variant_id: variantId, quantity: 1 })).data

  moveClock(29 * DAY_MS)
  await add({ variant_id: variantId, quantity: 1 }, { cart: token })
  moveClock(58 * DAY_MS)
  assert.equal((await request('GET /cart', { store, cart: token })).data.items.length, 1)
  moveClock(60 * DAY_MS)
  assert.equal((await request('GET /cart', { store, cart: token })).data.items.length, 0)
})

test('new guest carts are limited by network; a change of a cart does not count', async (t) => {
  const { store, variantId, add } = await scene()
  t.after(() => setLimit('0'))
  setLimit('2')
  const item = { variant_id: variantId, quantity: 1 }
  const { token } = (await add(item)).data
  const byMetadata = await request('PATCH /cart', { store, body: { metadata: { wrap: 'yes' } } })

  const third = await add(item)
  const change = await add(item, { cart: token })

  assert.equal(byMetadata.status, 200)
  assert.partialDeepStrictEqual(third, { status: 429, error_code: 'rate_limit.exceeded' })
  assert.equal(change.status, 201)
})

function setLimit(carts: string): void {
  process.env.LIMIT_CARTS = carts
  resetConfig()
}

test("another store's cart, line and variant are unknown", async () => {
  const { store, variantId, add } = await scene()
  const { token, items } = (await add({ variant_id: variantId, quantity: 1 })).data
  const other = await buildStore()

  const cart = await request('GET /cart', { store: other, cart: token })
  assert.equal(cart.data.id, null)
  const line = await request(`PATCH /cart/items/${items[0].id}`, {
    store: other,
    cart: token,
    body: { quantity: 2 },
  })
  assert.equal(line.status, 404)
  const variant = await request('POST /cart/items', {
    store: other,
    body: { variant_id: variantId, quantity: 1 },
  })
  assert.equal(variant.status, 404)
  assert.equal((await request('GET /cart', { store, cart: token })).data.items[0].quantity, 1)
})

test("another guest's line is unknown", async () => {
  const { store, variantId, add } = await scene()
  const { items } = (await add({ variant_id: variantId, quantity: 1 })).data
  const { token } = (await add({ variant_id: variantId, quantity: 1 })).data

  for (const line of [`PATCH /cart/items/${items[0].id}`, `DELETE /cart/items/${items[0].id}`]) {
    const body = line.startsWith('PATCH') ? { body: { quantity: 3 } } : {}
    assert.equal((await request(line, { store, cart: token, ...body })).status, 404)
  }
})

test('an unsold or unknown variant returns 404 and creates no cart', async () => {
  const { store, product, variantId, add } = await scene()
  await inStore(store.id, (tx) => tx.knex('products').where('id', product.id).update({ is_active: false }))

  for (const body of [{ variant_id: variantId }, { variant_id: UNKNOWN }, { product_id: UNKNOWN }])
    assert.equal((await add({ ...body, quantity: 1 })).error_code, 'resource.not_found')

  assert.equal((await inStore(store.id, (tx) => tx.knex('carts').select())).length, 0)
})

test('a request without exactly one of variant and product, or with an invalid quantity, returns 422', async () => {
  const { product, variantId, add } = await scene()

  for (const body of [
    { quantity: 1 },
    { variant_id: variantId, product_id: product.id, quantity: 1 },
    { variant_id: variantId },
    { variant_id: variantId, quantity: 0 },
    { variant_id: variantId, quantity: 1.5 },
    { variant_id: variantId, quantity: 1000 },
    { variant_id: 'x', quantity: 1 },
    { variant_id: variantId, quantity: 1, price: 1 },
  ])
    assert.equal((await add(body)).error_code, 'validation.failed', JSON.stringify(body))
})

test('a line takes at most 999 units, a cart at most 100 lines', async () => {
  const store = await buildStore()
  const { variants } = await buildProduct(store, {
    options: [{ name: 'No', values: Array.from({ length: 101 }, (_, i) => `${i}`) }],
    variants: Array.from({ length: 101 }, (_, i) => ({ optionValues: { No: `${i}` } })),
  })
  const add = (i: number, quantity: number, cart = '') =>
    request('POST /cart/items', { store, cart, body: { variant_id: variants[i]?.id, quantity } })
  const { token } = (await add(0, 999)).data

  assert.equal((await add(0, 1, token)).error_code, 'cart.too_many_units')
  await Promise.all(Array.from({ length: 99 }, (_, i) => add(i + 1, 1, token)))
  assert.equal((await add(100, 1, token)).error_code, 'cart.line_limit_reached')
  const { data } = await request('GET /cart', { store, cart: token })
  assert.equal(data.items.length, 100)
  assert.equal(data.items[0].quantity, 999)
})
