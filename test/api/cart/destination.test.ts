import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { newId } from '#shared/platform/db/id.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { ADDRESS, buildCheckoutRequest } from '#test/support/builders/orders.ts'
import { fillCart } from '#test/support/builders/place-orders.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildTaxClass, buildTaxRate } from '#test/support/builders/taxes.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { request } from '#test/support/processes/app.ts'

// Where a cart is to go, and how, decides what is shipped and taxed: in GET /cart as at checkout.

/** A store with one product of the given price and class, in a cart. */
async function scene(
  given: { priceMinor?: bigint; quantity?: number; taxClassId?: string; weightGrams?: number } = {},
  store?: BuiltStore,
) {
  const shop = store ?? (await buildStore())
  const { quantity = 1, ...product } = given
  const { variants } = await buildProduct(shop, product)
  const cart = await fillCart(shop, variants[0]?.id ?? '', quantity)
  return { store: shop, cart, variantId: variants[0]?.id ?? '' }
}

type Scene = Awaited<ReturnType<typeof scene>>

const read = ({ store, cart }: Scene, query = '') => request(`GET /cart${query}`, { store, cart })

async function amounts(shop: Scene, query = ''): Promise<number[]> {
  const { data } = await read(shop, query)
  return [data.subtotal, data.shipping_total, data.tax_total, data.total]
}

/** Checks out with cash on delivery for what the cart said. */
async function buy(shop: Scene, methodId: string, place: object, expected?: number) {
  await buildPaymentMethods(shop.store, ['cash_on_delivery'])
  return request('POST /checkout', {
    store: shop.store,
    cart: shop.cart,
    key: randomUUID(),
    body: {
      ...buildCheckoutRequest(methodId),
      payment_method: 'cash_on_delivery',
      shipping_address: { ...ADDRESS, ...place },
      ...(expected === undefined ? {} : { expected_total: expected }),
    },
  })
}

const GERMANY = [{ country: 'DE' }]

test('a cart is taxed for its destination, and untaxed without one', async () => {
  const store = await buildStore()
  const { taxClassId } = await buildTaxRate(store, { percent: 19, members: GERMANY })
  const shop = await scene({ taxClassId, quantity: 2 }, store)

  assert.deepEqual(await amounts(shop), [20, 0, 0, 20])
  assert.deepEqual(await amounts(shop, '?country=DE'), [20, 0, 3.8, 23.8])
  assert.deepEqual(await amounts(shop, '?country=AT'), [20, 0, 0, 20])
})

test("without an address every response prices the cart for the store's own country", async () => {
  const store = await buildStore({ country: 'DE' })
  const { taxClassId } = await buildTaxRate(store, { percent: 19, members: GERMANY })
  const shop = await scene({ taxClassId }, store)
  const asked = { store, cart: shop.cart }

  assert.deepEqual(await amounts(shop), [10, 0, 1.9, 11.9])
  assert.deepEqual(await amounts(shop, '?country=AT'), [10, 0, 0, 10])
  const body = { variant_id: shop.variantId, quantity: 1 }
  const added = await request('POST /cart/items', { ...asked, body })
  assert.equal(added.data.tax_total, 3.8)
  const line = `/cart/items/${added.data.items[0].id}`
  assert.equal((await request(`PATCH ${line}`, { ...asked, body: { quantity: 3 } })).data.tax_total, 5.7)
  assert.equal((await request(`DELETE ${line}`, asked)).data.tax_total, 0)
})

test("the store's own country is a setting", async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const country = async () => (await request('GET /settings/store-info', { store })).data.country

  assert.equal(await country(), '')
  const { data } = await request('PATCH /admin/settings', { token, body: { country: 'DE' } })
  assert.equal(data.country, 'DE')
  assert.equal(await country(), 'DE')
  assert.equal((await request('PATCH /admin/settings', { token, body: { name: 'New' } })).data.country, 'DE')
  assert.equal((await request('PATCH /admin/settings', { token, body: { country: null } })).data.country, '')
  for (const wrong of ['ZZ', 'Germany', 'de']) {
    const { status, detail } = await request('PATCH /admin/settings', { token, body: { country: wrong } })
    assert.deepEqual({ status, loc: detail[0].loc }, { status: 422, loc: ['body', 'country'] }, wrong)
  }
})

test('the total of GET /cart equals the total of checkout for the same address and method', async () => {
  const store = await buildStore()
  const standard = await buildTaxRate(store, { percent: 19, members: GERMANY })
  const reduced = await buildTaxRate(store, { percent: 7, members: GERMANY })
  const { id } = await buildShippingMethod(store, { priceMinor: 495n, taxClassId: standard.taxClassId })
  const shop = await scene({ taxClassId: reduced.taxClassId, priceMinor: 333n, quantity: 3 }, store)
  const other = await buildProduct(store, { taxClassId: standard.taxClassId, priceMinor: 1_999n })
  const body = { product_id: other.id, quantity: 1 }
  await request('POST /cart/items', { store, cart: shop.cart, body })

  const { data } = await read(shop, `?country=DE&zone=DE-SH&postcode=24103&shipping_method_id=${id}`)
  const place = { country: 'DE', zone: 'DE-SH', postcode: '24103' }
  const refused = await buy(shop, id, place, data.total - 0.01)
  const { status, data: bought } = await buy(shop, id, place, data.total)

  // 9.99 at 7 % is 0.70, 19.99 at 19 % is 3.80, 4.95 at 19 % is 0.94.
  assert.partialDeepStrictEqual(data, {
    subtotal: 29.98,
    shipping_total: 4.95,
    tax_total: 5.44,
    total: 40.37,
  })
  assert.equal(refused.error_code, 'checkout.price_changed')
  assert.equal(status, 201)
  const { order } = bought
  const parts = order.taxes.map(({ percent, amount }: { percent: number; amount: number }) => [
    percent,
    amount,
  ])
  assert.deepEqual(parts, [
    [7, 0.7],
    [19, 4.74],
  ])
  assert.deepEqual(order.taxes, data.taxes)
  assert.partialDeepStrictEqual(order, { shipping_total: 4.95, tax_total: 5.44, total: 40.37 })
  assert.deepEqual(
    order.items.map(({ tax_total }: { tax_total: number }) => tax_total),
    [0.7, 3.8],
  )
})

test('with a coupon, tax applies to the discounted price, and free shipping costs nothing', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const { taxClassId } = await buildTaxRate(store, { percent: 19, members: GERMANY })
  const { id } = await buildShippingMethod(store, { taxClassId })
  const shop = await scene({ taxClassId, quantity: 2 }, store)
  await request('POST /admin/coupons', {
    token,
    body: { code: 'QUARTER', type: 'percent', value: 25, free_shipping: true },
  })
  await request('POST /cart/coupon', { store, cart: shop.cart, body: { code: 'QUARTER' } })

  const query = `?country=DE&shipping_method_id=${id}`
  const offer = await request('GET /cart/shipping-methods?country=DE', { store, cart: shop.cart })
  const { data } = await read(shop, query)
  const bought = await buy(shop, id, {}, data.total)

  assert.partialDeepStrictEqual(data, { discount_total: 5, shipping_total: 0, tax_total: 2.85, total: 17.85 })
  assert.equal(offer.data[0].price, 0)
  assert.deepEqual({ status: bought.status, total: bought.data.order.total }, { status: 201, total: 17.85 })
})

test('the closest of overlapping geo zones applies, then the oldest; taxes of priorities add up', async () => {
  const store = await buildStore()
  const { id: taxClassId } = await buildTaxClass(store)
  const add = (
    percent: number,
    members?: { country: string; zone?: string; postcode?: string }[],
    more = {},
  ) => buildTaxRate(store, { taxClassId, percent, ...(members ? { members } : {}), ...more })
  await add(1)
  await add(10, [{ country: 'CA' }, { country: 'DE' }])
  await add(20, GERMANY)
  await add(0, [{ country: 'DE', postcode: '27498' }])
  await add(5, [{ country: 'CA', zone: 'CA-ON' }])
  await add(8, [{ country: 'CA', zone: 'CA-ON' }], { priority: 2 })
  await add(10, [{ country: 'CA', zone: 'CA-QC' }], { priority: 2, isCompound: true })
  const shop = await scene({ taxClassId, priceMinor: 10_000n }, store)

  for (const [query, tax] of [
    ['?country=JP', 1],
    ['?country=DE', 10],
    ['?country=DE&postcode=27498', 0],
    ['?country=CA', 10],
    ['?country=CA&zone=CA-ON', 13],
    ['?country=CA&zone=CA-QC', 21],
  ] as const)
    assert.equal((await read(shop, query)).data.tax_total, tax, query)
})

test('goods and shipping without a tax class are taxed with the default class', async () => {
  const store = await buildStore()
  const { id: taxClassId } = await buildTaxClass(store, { isDefault: true })
  await buildTaxRate(store, { taxClassId, percent: 10 })
  const exempt = await buildTaxClass(store)
  const plain = await buildShippingMethod(store)
  const free = await buildShippingMethod(store, { taxClassId: exempt.id })
  const shop = await scene({}, store)

  assert.deepEqual(await amounts(shop, `?country=DE&shipping_method_id=${plain.id}`), [10, 5, 1.5, 16.5])
  assert.deepEqual(await amounts(shop, `?country=DE&shipping_method_id=${free.id}`), [10, 5, 1, 16])
})

for (const [currency, priceMinor, percent, tax] of [
  ['JPY', 5n, 10, 1],
  ['JPY', 4n, 10, 0],
  ['EUR', 3n, 19, 0.01],
  ['KWD', 1_010n, 5, 0.051],
] as const)
  test(`tax is rounded to the decimals of ${currency}, half away from zero`, async () => {
    const store = await buildStore({ currency })
    const { taxClassId } = await buildTaxRate(store, { percent })
    const shop = await scene({ taxClassId, priceMinor }, store)

    assert.equal((await read(shop, '?country=DE')).data.tax_total, tax)
  })

test('shipping is free from a discounted total on, and limited by weight', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const bulky = await buildShippingMethod(store, { freeFromMinor: 3_000n })
  const light = await buildShippingMethod(store, { maxWeightGrams: 2_500 })
  const shop = await scene({ quantity: 2, weightGrams: 1_000 }, store)
  const offers = async () => {
    const { data } = await request('GET /cart/shipping-methods?country=DE', { store, cart: shop.cart })
    return new Map(data.map(({ id, price }: { id: string; price: number }) => [id, price]))
  }

  assert.deepEqual(
    await offers(),
    new Map([
      [bulky.id, 5],
      [light.id, 5],
    ]),
  )
  const body = { variant_id: shop.variantId, quantity: 1 }
  await request('POST /cart/items', { store, cart: shop.cart, body })
  assert.deepEqual(await offers(), new Map([[bulky.id, 0]]))
  assert.deepEqual(await amounts(shop, `?country=DE&shipping_method_id=${bulky.id}`), [30, 0, 0, 30])
  const heavy = await read(shop, `?country=DE&shipping_method_id=${light.id}`)
  assert.partialDeepStrictEqual(heavy, { status: 422, error_code: 'checkout.shipping_unavailable' })
  assert.equal((await buy(shop, light.id, {})).error_code, 'checkout.shipping_unavailable')
  await request('POST /admin/coupons', { token, body: { code: 'ONE', type: 'fixed', value: 1 } })
  await request('POST /cart/coupon', { store, cart: shop.cart, body: { code: 'ONE' } })
  assert.deepEqual(await offers(), new Map([[bulky.id, 5]]))
})

test('checkout rejects an unknown place and a country that the store does not sell to', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const { id } = await buildShippingMethod(store)
  const shop = await scene({}, store)

  for (const [place, field] of [
    [{ country: 'ZZ' }, 'country'],
    [{ zone: 'AT-9' }, 'zone'],
    [{ zone: 'DE-XX' }, 'zone'],
  ] as const) {
    const { status, detail } = await buy(shop, id, place)
    assert.deepEqual(
      { status, loc: detail[0].loc },
      { status: 422, loc: ['body', 'shipping_address', field] },
    )
  }
  await request('PATCH /admin/geo/countries/DE', { token, body: { is_active: false } })
  assert.equal((await buy(shop, id, {})).error_code, 'checkout.shipping_unavailable')
  assert.equal((await buy(shop, id, { country: 'AT' })).status, 201)
})

test('a billing address may be in a closed country, but not in an unknown place', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const { id } = await buildShippingMethod(store)
  await buildPaymentMethods(store, ['cash_on_delivery'])
  const shop = await scene({}, store)
  await request('PATCH /admin/geo/countries/CH', { token, body: { is_active: false } })
  const bill = (place: object) =>
    request('POST /checkout', {
      store,
      cart: shop.cart,
      key: randomUUID(),
      body: {
        ...buildCheckoutRequest(id),
        payment_method: 'cash_on_delivery',
        billing_address: { ...ADDRESS, ...place },
      },
    })

  const { detail } = await bill({ country: 'CH', zone: 'DE-SH' })
  assert.deepEqual(detail[0].loc, ['body', 'billing_address', 'zone'])
  assert.equal((await bill({ country: 'CH' })).status, 201)
})

test('GET /cart rejects an unknown place and an unknown shipping method', async () => {
  const shop = await scene()
  const elsewhere = await buildShippingMethod(shop.store, { countries: ['FR'] })
  const theirs = await buildShippingMethod(await buildStore())

  for (const [query, field] of [
    ['?country=ZZ', 'country'],
    ['?country=DE&zone=AT-9', 'zone'],
    ['?zone=DE-SH', 'country'],
    ['?postcode=24103', 'country'],
    [`?shipping_method_id=${elsewhere.id}`, 'country'],
    ['?shipping_method_id=parcel', 'shipping_method_id'],
    ['?page=1', 'page'],
  ]) {
    const { status, detail } = await read(shop, query)
    assert.deepEqual({ status, loc: detail[0].loc }, { status: 422, loc: ['query', field] }, query)
  }
  for (const id of [elsewhere.id, theirs.id, newId()]) {
    const { status, error_code } = await read(shop, `?country=DE&shipping_method_id=${id}`)
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'checkout.shipping_unavailable' })
  }
})

test('a deleted shipping method stays on its orders', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  const { id, code } = await buildShippingMethod(store)
  const shop = await scene({}, store)
  const { data } = await buy(shop, id, {})

  await request(`DELETE /admin/shipping-methods/${id}`, { token })

  const { data: order } = await request(`GET /admin/orders/${data.order.id}`, { token })
  assert.deepEqual(order.shipping_method, { id, code, name: 'Parcel' })
})

test('pricing a cart for a place needs one more statement, for any number of rates and zones', async () => {
  const store = await buildStore()
  const { id: taxClassId } = await buildTaxClass(store)
  const shop = await scene({ taxClassId }, store)
  const plain = await countStatements(() => read(shop))
  await buildTaxRate(store, { taxClassId, percent: 1 })
  const one = await countStatements(() => read(shop, '?country=DE'))
  for (let i = 0; i < 5; i++)
    await buildTaxRate(store, { taxClassId, percent: i, members: GERMANY, priority: i })
  const many = await countStatements(() => read(shop, '?country=DE'))

  // Each read sets the store and then asks.
  assert.deepEqual({ one, many }, { one: plain + 2, many: plain + 2 })
})
