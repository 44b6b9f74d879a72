import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { checkOut } from '#test/support/builders/place-orders.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildTaxClass, buildTaxRate } from '#test/support/builders/taxes.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'

const DE = [{ country: 'DE' }]
const AT = [{ country: 'AT' }]
const address = { firstname: 'Ada', lastname: 'Byron', address_1: 'Ring 1', city: 'Wien', postcode: '1010' }

/**
 * A German store whose prices include tax: a jacket for 119.00 at 19 % (20 % in Austria), a book for 9.99 at 7 % (10 %
 * in Austria), a parcel for 5.95. Switzerland has no rates.
 */
async function scene(given: { currency?: string; settings?: object } = {}) {
  const { currency = 'EUR', settings = {} } = given
  const store = await buildStore({ country: 'DE', currency, pricesIncludeTax: true })
  const standard = await buildTaxClass(store, { isDefault: true })
  const reduced = await buildTaxClass(store)
  for (const [taxClassId, percent, members] of [
    ...([[standard.id, 19, DE] as const, [standard.id, 20, AT] as const] as const),
    ...([[reduced.id, 7, DE] as const, [reduced.id, 10, AT] as const] as const),
  ])
    await buildTaxRate(store, { percent, taxClassId, members: [...members] })
  const jacket = await buildProduct(store, { slug: 'jacket', priceMinor: 11_900n })
  const book = await buildProduct(store, { slug: 'book', priceMinor: 999n, taxClassId: reduced.id })
  const shipping = await buildShippingMethod(store, { priceMinor: 595n })
  await buildPaymentMethods(store)
  const { token } = await buildStaff(store, { role: 'administrator' })
  const as = (line: string, asked: RequestOptions = {}) => request(line, { token, ...asked })
  if (Object.keys(settings).length) await as('PATCH /admin/settings', { body: settings })
  return { store, standard, reduced, jacket, book, shipping, as }
}

const fill = async (
  store: BuiltStore,
  items: [product: { id: string }, quantity: number][],
  asked: RequestOptions = {},
) => {
  let cart = ''
  for (const [product, quantity] of items) {
    const body = { product_id: product.id, quantity }
    const { data } = await request('POST /cart/items', { store, body, ...asked, ...(cart ? { cart } : {}) })
    cart ||= data.token ?? ''
  }
  return cart
}

test('a product shows its gross price, its net price and its rate', async () => {
  const { store } = await scene()

  const { data } = await request('GET /products?sort=price', { store })
  const { data: jacket } = await request('GET /products/jacket', { store })

  assert.partialDeepStrictEqual(data[0], { slug: 'book', price: 9.99, price_net: 9.34, tax_rate: 7 })
  assert.partialDeepStrictEqual(data[1], { slug: 'jacket', price: 119, price_net: 100, tax_rate: 19 })
  assert.partialDeepStrictEqual(data[1].variants[0], { current_price: 119, current_price_net: 100 })
  assert.partialDeepStrictEqual(jacket, { price: 119, price_net: 100, current_price_net: 100, tax_rate: 19 })
})

test('keep_gross shows the same price in another country, keep_net the same net price', async () => {
  const { store, as } = await scene()
  const shown = async (query: string) =>
    (await request(`GET /products/jacket${query}`, { store })).data as Record<string, number>
  assert.partialDeepStrictEqual(await shown('?country=AT'), { price: 119, price_net: 99.17, tax_rate: 20 })
  assert.partialDeepStrictEqual(await shown('?country=CH'), { price: 119, price_net: 119, tax_rate: 0 })

  await as('PATCH /admin/settings', { body: { cross_border_prices: 'keep_net' } })

  assert.partialDeepStrictEqual(await shown('?country=AT'), { price: 120, price_net: 100, tax_rate: 20 })
  assert.partialDeepStrictEqual(await shown('?country=CH'), { price: 100, price_net: 100, tax_rate: 0 })
  assert.partialDeepStrictEqual(await shown(''), { price: 119, price_net: 100, tax_rate: 19 })
})

test('a changed tax rate, geo zone or setting shows immediately', async () => {
  const { store, as } = await scene()
  const rate = async () => {
    const { data } = await request('GET /products/jacket', { store })
    return { tax_rate: data.tax_rate, price_net: data.price_net }
  }
  assert.deepEqual(await rate(), { tax_rate: 19, price_net: 100 })
  const { data: rates } = await as('GET /admin/tax/rates')
  const german = rates.find(({ percent }: { percent: number }) => percent === 19)

  await as(`PATCH /admin/tax/rates/${german.id}`, { body: { percent: 16 } })
  assert.deepEqual(await rate(), { tax_rate: 16, price_net: 102.59 })
  await as(`PUT /admin/geo/geo-zones/${german.geo_zone_id}/members`, { body: { members: AT } })
  assert.deepEqual(await rate(), { tax_rate: 0, price_net: 119 })
  await as('PATCH /admin/settings', { body: { country: 'AT' } })
  assert.partialDeepStrictEqual(await rate(), { price_net: 102.59 })
  await as('PATCH /admin/settings', { body: { prices_include_tax: false } })
  assert.partialDeepStrictEqual(await rate(), { price_net: 119 })
})

test('a store whose prices are net shows the rate and keeps its prices', async () => {
  const { store, as } = await scene()
  await as('PATCH /admin/settings', { body: { prices_include_tax: false } })

  const { data } = await request('GET /products/jacket?country=AT', { store })

  assert.partialDeepStrictEqual(data, { price: 119, price_net: 119, tax_rate: 20 })
})

test('a place that does not exist returns 422', async () => {
  const { store } = await scene()

  for (const [query, loc] of [
    ['country=XX', ['query', 'country']],
    ['country=DE&zone=AT-9', ['query', 'zone']],
    ['country=de', ['query', 'country']],
  ] as const) {
    const { status, detail } = await request(`GET /products?${query}`, { store })
    assert.equal(status, 422)
    assert.deepEqual(detail[0].loc, loc)
  }
})

test('the tax is taken out of the total of a cart, not added to it', async () => {
  const { store, jacket, book, shipping } = await scene()
  const cart = await fill(store, [
    [jacket, 1],
    [book, 3],
  ])

  const { data } = await request(`GET /cart?shipping_method_id=${shipping.id}`, { store, cart })

  assert.partialDeepStrictEqual(data, {
    prices_include_tax: true,
    subtotal: 148.97,
    shipping_total: 5.95,
    shipping_tax_total: 0.95,
    tax_total: 21.91,
    net_total: 133.01,
    total: 154.92,
  })
  assert.partialDeepStrictEqual(data.items, [
    { unit_price: 119, line_total: 119, tax_total: 19, net_total: 100, total: 119 },
    { unit_price: 9.99, line_total: 29.97, tax_total: 1.96, net_total: 28.01, total: 29.97 },
  ])
  const parts = data.taxes.map(({ percent, net_amount, amount }: Record<string, number>) => ({
    percent,
    net_amount,
    amount,
  }))
  assert.deepEqual(
    parts.sort((a: { percent: number }, b: { percent: number }) => a.percent - b.percent),
    [
      { percent: 7, net_amount: 28.01, amount: 1.96 },
      { percent: 19, net_amount: 105, amount: 19.95 },
    ],
  )
})

test('a coupon takes its part off the gross price, and the tax follows', async () => {
  const { store, jacket, as } = await scene()
  await as('POST /admin/coupons', { body: { code: 'TENTH', type: 'percent', value: 10, is_active: true } })
  const cart = await fill(store, [[jacket, 1]])

  const { data } = await request('POST /cart/coupon', { store, cart, body: { code: 'TENTH' } })

  assert.partialDeepStrictEqual(data, { discount_total: 11.9, total: 107.1, tax_total: 17.1, net_total: 90 })
})

test('shipping methods show the price of the place', async () => {
  const { store, jacket } = await scene({ settings: { cross_border_prices: 'keep_net' } })
  const cart = await fill(store, [[jacket, 1]])
  const price = async (country: string) =>
    (await request(`GET /cart/shipping-methods?country=${country}`, { store, cart })).data[0].price

  assert.equal(await price('DE'), 5.95)
  assert.equal(await price('AT'), 6)
  assert.equal(await price('CH'), 5)
})

test('explain=true gives the possible prices at the destination', async () => {
  const { store, jacket } = await scene({ settings: { cross_border_prices: 'keep_net' } })
  const cart = await fill(store, [[jacket, 1]])

  const { data } = await request('GET /cart?country=AT&explain=true', { store, cart })

  const [line] = data.items
  assert.partialDeepStrictEqual(line, { unit_price: 120, variant: { price: 120 } })
  assert.partialDeepStrictEqual(line.explanation, [{ kind: 'base', price: 120, applied: true }])
})

for (const [settings, country, expected] of [
  ['keep_gross', 'DE', { total: 124.95, tax_total: 19.95, net_total: 105 }],
  ['keep_gross', 'AT', { total: 124.95, tax_total: 20.82, net_total: 104.13 }],
  ['keep_gross', 'CH', { total: 124.95, tax_total: 0, net_total: 124.95 }],
  ['keep_net', 'AT', { total: 126, tax_total: 21, net_total: 105 }],
  ['keep_net', 'CH', { total: 105, tax_total: 0, net_total: 105 }],
] as const)
  test(`with ${settings}, the total of an order to ${country} is ${expected.total}, including ${expected.tax_total} of tax`, async () => {
    const { store, jacket, shipping } = await scene({ settings: { cross_border_prices: settings } })
    const cart = await fill(store, [[jacket, 1]])
    const body = {
      payment_method: 'bank_transfer',
      shipping_address: { ...address, country },
      expected_total: expected.total,
    }

    const { status, data } = await checkOut({ store, shipping }, { cart, body })

    assert.equal(status, 201)
    assert.partialDeepStrictEqual(data.order, { prices_include_tax: true, rounding_total: 0, ...expected })
  })

test('a tax-exempt customer pays the net price', async () => {
  const { store, jacket, shipping, as } = await scene()
  const { id, token } = await buildCustomer(store)
  await as(`PATCH /admin/customers/${id}`, { body: { tax_exempt: true, tax_number: 'DE123456789' } })
  await fill(store, [[jacket, 1]], { token })

  const read = await request('GET /cart', { store, token })
  const { data } = await checkOut({ store, shipping }, { token, body: { payment_method: 'bank_transfer' } })

  assert.partialDeepStrictEqual(read.data, { subtotal: 100, tax_total: 0, total: 100 })
  assert.partialDeepStrictEqual(data.order, { subtotal: 100, shipping_total: 5, tax_total: 0, total: 105 })
})

test('refunds of an order in pieces add up to the paid amount', async () => {
  const { store, book, shipping, as } = await scene()
  const cart = await fill(store, [[book, 3]])
  const { data } = await checkOut({ store, shipping }, { cart, body: { payment_method: 'bank_transfer' } })
  const { id, items, total } = data.order
  await as(`POST /admin/orders/${id}/mark-paid`, { key: 'paid', body: {} })
  const refund = (body: object, key: string) =>
    as(`POST /admin/orders/${id}/refunds`, { key, body: { outside_gateway: true, reason: 'Back', ...body } })
  const unit = { items: [{ order_item_id: items[0].id, quantity: 1 }] }

  const amounts = []
  for (const [index, body] of [unit, unit, { ...unit, shipping_amount: 5.95 }].entries())
    amounts.push((await refund(body, `piece-${index}`)).data.amount)

  assert.deepEqual(amounts, [9.99, 9.99, 15.94])
  const { data: order } = await as(`GET /admin/orders/${id}`)
  assert.partialDeepStrictEqual(order, { total, amount_refunded: total, payment_status: 'refunded' })
  assert.equal((await refund({ amount: 0.01 }, 'more')).status, 409)
})

test('an order keeps its prices when the setting of the store changes', async () => {
  const { store, jacket, shipping, as } = await scene()
  const cart = await fill(store, [[jacket, 1]])
  const { data } = await checkOut({ store, shipping }, { cart, body: { payment_method: 'bank_transfer' } })

  await as('PATCH /admin/settings', { body: { prices_include_tax: false } })

  const { data: order } = await as(`GET /admin/orders/${data.order.id}`)
  assert.partialDeepStrictEqual(order, { prices_include_tax: true, total: 124.95, tax_total: 19.95 })
})

for (const [currency, priceMinor, total, tax] of [
  ['JPY', 1_100n, 1_695, 271],
  ['KWD', 1_105n, 1.7, 0.271],
  ['EUR', 1_999n, 25.94, 4.14],
] as const)
  test(`${currency}: the parts of an order are exact`, async () => {
    const { store, shipping } = await scene({ currency })
    const product = await buildProduct(store, { priceMinor })
    const cart = await fill(store, [[product, 1]])

    const { data } = await checkOut({ store, shipping }, { cart, body: { payment_method: 'bank_transfer' } })

    assert.partialDeepStrictEqual(data.order, { total, tax_total: tax })
  })

test('prices that include tax need a country', async () => {
  const { store, as } = await scene()
  const without = await buildStore()
  const { token } = await buildStaff(without, { role: 'administrator' })

  const removed = await as('PATCH /admin/settings', { body: { country: null } })
  const set = await request('PATCH /admin/settings', { token, body: { prices_include_tax: true } })

  for (const { status, detail } of [removed, set]) {
    assert.equal(status, 422)
    assert.deepEqual(detail[0].loc, ['body', 'country'])
  }
  const { data } = await request('GET /settings/store-info', { store })
  assert.partialDeepStrictEqual(data, { country: 'DE', prices_include_tax: true })
})

testBooks()
