import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import fc from 'fast-check'
import { cardStepMinor } from '#shared/payment-methods/card-rules.ts'
import { currencyDigits, toMajor } from '#shared/platform/money.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { ADDRESS } from '#test/support/builders/orders.ts'
import { checkOut, confirm, referenceOf } from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTaxClass, buildTaxRate } from '#test/support/builders/taxes.ts'
import { buildVoucher, readVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'
import { openPayment } from '#workers/payments/open/open-payment.ts'
import { sendRefund } from '#workers/refunds/send-refund.ts'

const CASES = Number(process.env.CASES ?? 10)

const DE = [{ country: 'DE' }]
const AT = [{ country: 'AT' }]

const percent = fc.constantFrom(0, 5.5, 7, 7.7, 19, 25)
const price = fc.bigInt(1_000n, 40_000n)

/** A sale: of which store, to whom, where, of what, and how it is paid. Amounts in minor units. */
const sale = fc.record({
  currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'HUF'),
  pricesIncludeTax: fc.boolean(),
  crossBorderPrices: fc.constantFrom('keep_gross' as const, 'keep_net' as const),
  rates: fc.record({ home: percent, homeReduced: percent, abroad: percent, compound: percent }),
  prices: fc.record({ standard: price, reduced: price, shipping: fc.oneof(fc.constant(0n), price) }),
  country: fc.constantFrom('DE', 'AT', 'CH'),
  isTaxExempt: fc.boolean(),
  units: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 })),
  coupon: fc.constantFrom('none', 'percent', 'fixed', 'free_shipping'),
  couponValue: fc.integer({ min: 1, max: 60 }),
  voucherMinor: fc.oneof(fc.constant(0n), fc.bigInt(1n, 60n)),
  method: fc.constantFrom('card', 'bank_transfer'),
  isShippingRefundedFirst: fc.boolean(),
})
type Sale = typeof sale extends fc.Arbitrary<infer One> ? One : never

/**
 * A store with two tax classes, which are taxed at home and abroad, with a compound rate on top; CH has that rate only.
 */
async function openShop({ currency, pricesIncludeTax, crossBorderPrices, rates, prices }: Sale) {
  const store = await buildStore({ currency, country: 'DE', pricesIncludeTax })
  const { id: standard } = await buildTaxClass(store, { isDefault: true })
  const { id: reduced } = await buildTaxClass(store)
  await buildTaxRate(store, { percent: rates.home, taxClassId: standard, members: DE })
  await buildTaxRate(store, { percent: rates.abroad, taxClassId: standard, members: AT })
  await buildTaxRate(store, { percent: rates.homeReduced, taxClassId: reduced, members: DE })
  await buildTaxRate(store, { percent: rates.compound, taxClassId: standard, priority: 2, isCompound: true })
  const products = [
    await buildProduct(store, { priceMinor: prices.standard }),
    await buildProduct(store, { priceMinor: prices.reduced, taxClassId: reduced }),
  ]
  const shipping = await buildShippingMethod(store, { priceMinor: prices.shipping })
  await buildPaymentMethods(store)
  const { token } = await buildStaff(store, { role: 'owner' })
  const body = { cross_border_prices: crossBorderPrices }
  assert.equal((await request('PATCH /admin/settings', { token, body })).status, 200)
  return { store, products, shipping, token }
}
type Shop = Awaited<ReturnType<typeof openShop>>

/** A customer with a filled cart, and the coupon and the voucher of the sale. */
async function fillCart({ store, products, token }: Shop, given: Sale) {
  const buyer = await buildCustomer(store)
  const body = { tax_exempt: given.isTaxExempt }
  await request(`PATCH /admin/customers/${buyer.id}`, { token, body })
  for (const [index, quantity] of given.units.entries()) {
    const item = { product_id: products[index]?.id, quantity }
    if (quantity > 0) await request('POST /cart/items', { store, token: buyer.token, body: item })
  }
  if (given.coupon !== 'none') {
    const type = given.coupon === 'fixed' ? 'fixed' : 'percent'
    // Percent, or minor units.
    const value = type === 'percent' ? given.couponValue : toMajor(BigInt(given.couponValue), given.currency)
    const { code } = await buildCoupon(store, { type, value, freeShipping: given.coupon === 'free_shipping' })
    await request('POST /cart/coupon', { store, token: buyer.token, body: { code } })
  }
  const { voucherMinor: amountMinor, currency } = given
  const voucher = amountMinor > 0n ? await buildVoucher(store, { amountMinor, currency }) : null
  return { buyer, voucher }
}

type Amounts = Record<string, number>
type OrderOf = Amounts & {
  id: string
  items: (Amounts & { id: string; quantity: number })[]
  taxes: Amounts[]
}

/** Major units as integers of the last digit: their sums are exact. */
const minorIn = (currency: string) => (major: number | undefined) =>
  Math.round((major ?? Number.NaN) * 10 ** currencyDigits(currency))

const sumOf = <T>(rows: readonly T[], amount: (row: T) => number): number =>
  rows.reduce((total, row) => total + amount(row), 0)

function assertPartsAddUp(order: OrderOf, { currency, pricesIncludeTax, method, voucherMinor }: Sale): void {
  const minor = minorIn(currency)
  const of = (name: string) => minor(order[name])
  const added = (name: string) => (pricesIncludeTax ? 0 : of(name))
  const charged = of('total') - of('rounding_total')
  assert.equal(
    of('subtotal') - of('discount_total') + of('shipping_total') + added('tax_total'),
    charged,
    'the totals',
  )
  const goods = sumOf(order.items, ({ total }) => minor(total))
  assert.equal(goods + of('shipping_total') + added('shipping_tax_total'), charged, 'the lines')
  assert.equal(
    sumOf(order.taxes, ({ amount }) => minor(amount)),
    of('tax_total'),
    'the taxes',
  )
  assert.equal(of('net_total') + of('tax_total'), of('total'), 'net and tax')
  for (const { net_total, tax_total, total } of order.items)
    assert.equal(minor(net_total) + minor(tax_total), minor(total), 'net and tax of a line')
  const stepMinor = method === 'card' ? Number(cardStepMinor(currency)) : 1
  assert.equal((of('total') - Number(voucherMinor)) % stepMinor, 0, 'the amount of the card')
  assert.ok(Math.abs(of('rounding_total')) <= stepMinor / 2, 'the rounding')
}

/** Pays an order by its method. */
async function pay({ store, token }: Shop, { method }: Sale, id: string, payment: { id: string }) {
  if (method === 'card') {
    await drainJobs([openPayment])
    const intent = await confirm(await referenceOf(store, payment.id))
    await notify('payment_intent.succeeded', intent)
  } else await request(`POST /admin/orders/${id}/mark-paid`, { token, key: randomUUID(), body: {} })
}

/** Refunds each unit, and the shipping, on its own. Returns the sum of the refunds in minor units. */
async function refundInPieces({ token }: Shop, given: Sale, order: OrderOf): Promise<number> {
  const units = order.items.flatMap(({ id, quantity }) =>
    Array.from({ length: quantity }, () => ({ items: [{ order_item_id: id, quantity: 1 }] })),
  )
  const { shipping_total = 0, shipping_tax_total = 0 } = order
  const shippingMinor =
    minorIn(given.currency)(shipping_total) +
    (given.pricesIncludeTax ? 0 : minorIn(given.currency)(shipping_tax_total))
  const shipping =
    shippingMinor > 0 ? [{ shipping_amount: toMajor(BigInt(shippingMinor), given.currency) }] : []
  const pieces = given.isShippingRefundedFirst ? [...shipping, ...units] : [...units, ...shipping]
  let refundedMinor = 0
  for (const piece of pieces) {
    const { status, data, error } = await request(`POST /admin/orders/${order.id}/refunds`, {
      token,
      key: randomUUID(),
      headers: { Prefer: 'respond-async' },
      body: { ...piece, reason: 'Back', outside_gateway: given.method !== 'card' },
    })
    assert.ok(status === 201 || status === 202, `${status} ${error}`)
    await drainJobs([sendRefund])
    refundedMinor += minorIn(given.currency)(data.amount)
  }
  return refundedMinor
}

test(`checkout charges what the cart shows, and partial refunds add up to it: ${CASES} random sales`, async () => {
  const sellAndRefund = async (given: Sale) => {
    const shop = await openShop(given)
    const { store, shipping, token } = shop
    const { buyer, voucher } = await fillCart(shop, given)
    const query = `country=${given.country}&shipping_method_id=${shipping.id}`
    const { data: cart } = await request(`GET /cart?${query}`, { store, token: buyer.token })

    const { status, data, error } = await checkOut(shop, {
      token: buyer.token,
      body: {
        payment_method: given.method,
        shipping_address: { ...ADDRESS, country: given.country },
        ...(voucher ? { voucher_code: voucher.code } : {}),
      },
    })
    assert.equal(status, 201, `${error}`)
    const { order, payment } = data
    assertPartsAddUp(order, given)
    const minor = minorIn(given.currency)
    assert.equal(minor(cart.total), minor(order.total) - minor(order.rounding_total))
    if (given.method === 'card' && !voucher) assert.equal(cart.card_total, order.total)

    await pay(shop, given, order.id, payment)
    assert.equal(await refundInPieces(shop, given, order), minor(order.total))
    const { data: refunded } = await request(`GET /admin/orders/${order.id}`, { token })
    assert.partialDeepStrictEqual(refunded, { status: 'refunded', amount_refunded: order.total })
    if (voucher) assert.equal((await readVoucher(store, voucher.id)).remainingMinor, given.voucherMinor)
  }

  const seed = process.env.SEED ? { seed: Number(process.env.SEED) } : {}
  await fc.assert(fc.asyncProperty(sale, sellAndRefund), { numRuns: CASES, ...seed })
})

testBooks()
