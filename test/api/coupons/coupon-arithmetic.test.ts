import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { parseMinor } from '#shared/platform/money.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { OFFLINE } from '#test/support/builders/coupon-scene.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildShop, checkOut } from '#test/support/builders/place-orders.ts'
import { request } from '#test/support/processes/app.ts'

/** Price and units of each line, the coupon, the price of the shipping; then what cart and order come to. */

const BASKETS: [
  currency: string,
  lines: [price: string, quantity: number][],
  coupon: { type: 'percent' | 'fixed'; value: number; freeShipping?: boolean },
  shipping: string,
  cart: [subtotal: number, discount: number, total: number],
  order: number,
][] = [
  [
    'JPY',
    [
      ['333', 3],
      ['1', 1],
    ],
    { type: 'percent', value: 15 },
    '500',
    [1000, 150, 850],
    1350,
  ],
  [
    'JPY',
    [
      ['100', 1],
      ['100', 1],
      ['100', 1],
    ],
    { type: 'fixed', value: 100 },
    '500',
    [300, 100, 200],
    700,
  ],
  [
    'EUR',
    [
      ['19.99', 1],
      ['0.01', 3],
    ],
    { type: 'percent', value: 12.5 },
    '4.90',
    [20.02, 2.5, 17.52],
    22.42,
  ],
  [
    'EUR',
    [
      ['0.05', 1],
      ['0.05', 1],
    ],
    { type: 'percent', value: 10 },
    '4.90',
    [0.1, 0.02, 0.08],
    4.98,
  ],
  [
    'EUR',
    [
      ['9.99', 1],
      ['9.99', 2],
    ],
    { type: 'fixed', value: 10, freeShipping: true },
    '4.90',
    [29.97, 10, 19.97],
    19.97,
  ],
  [
    'KWD',
    [
      ['1.005', 3],
      ['0.001', 1],
    ],
    { type: 'percent', value: 33.33 },
    '0.250',
    [3.016, 1.005, 2.011],
    2.261,
  ],
  ['KWD', [['2.500', 1]], { type: 'fixed', value: 99.999 }, '0.250', [2.5, 2.5, 0], 0.25],
]

for (const [currency, lines, coupon, shipping, [subtotal, discount, total], ordered] of BASKETS)
  test(`${currency} ${lines.map((line) => line.join(' × ')).join(' + ')} with ${coupon.value} ${coupon.type} off comes to ${total}`, async () => {
    const { store } = await buildShop(100, { currency })
    const minor = (amount: string) => parseMinor(amount, currency) ?? 0n
    let cart = ''
    for (const [price, quantity] of lines) {
      const { id } = await buildProduct(store, { priceMinor: minor(price) })
      const body = { product_id: id, quantity }
      const { data } = await request('POST /cart/items', { store, ...(cart ? { cart } : {}), body })
      cart ||= data.token
    }
    const { code } = await buildCoupon(store, coupon)

    const priced = (await request('POST /cart/coupon', { store, cart, body: { code } })).data

    assert.partialDeepStrictEqual(priced, { subtotal, discount_total: discount, total })
    const method = await buildShippingMethod(store, { priceMinor: minor(shipping) })
    const body = { ...OFFLINE, expected_total: ordered }
    const { order } = (await checkOut({ store, shipping: method }, { cart, body })).data
    const off = order.items.map((item: { discount_total: number }) => minor(String(item.discount_total)))
    assert.equal(
      off.reduce((sum: bigint, part: bigint) => sum + part, 0n),
      minor(String(discount)),
    )
    assert.partialDeepStrictEqual(order, { discount_total: discount, total: ordered })
  })

testBooks()
