import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import '#test/support/processes/gateway.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { checkOut, confirm, fillCart, referenceOf } from '#test/support/builders/place-orders.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

/** A store that sells one variant, with every payment method. Amounts in minor units. */
async function shopAt(currency: string, priceMinor: bigint, shippingMinor = 0n) {
  const store = await buildStore({ currency })
  const { variants } = await buildProduct(store, { variants: [{ priceMinor, stockOnHand: 100 }] })
  const shipping = await buildShippingMethod(store, { priceMinor: shippingMinor })
  await buildPaymentMethods(store)
  return { store, shipping, variantId: variants[0]?.id ?? '' }
}

test('a card order in dinars is rounded to steps of 0.010, stated as rounding_total, and captured', async () => {
  const shop = await shopAt('KWD', 1_337n, 250n)
  const cart = await fillCart(shop.store, shop.variantId)

  const { status, data } = await checkOut(shop, { cart, body: { expected_total: 1.59 } })

  assert.equal(status, 201)
  const amounts = { subtotal: 1.337, shipping_total: 0.25, tax_total: 0, rounding_total: 0.003, total: 1.59 }
  assert.partialDeepStrictEqual(data.order, amounts)
  await drainJobs()
  const intent = await confirm(await referenceOf(shop.store, data.payment.id))
  await notify('payment_intent.succeeded', intent)

  assert.partialDeepStrictEqual(intent, { status: 'succeeded', amount: 1_590, currency: 'kwd' })
  const path = `GET /orders/${data.order.id}?access_token=${data.order.access_token}`
  const paid = await request(path, { store: shop.store })
  assert.partialDeepStrictEqual(paid.data, { status: 'processing', amount_captured: 1.59, total: 1.59 })
})

test('an order rounded down has a negative rounding_total', async () => {
  const shop = await shopAt('BHD', 1_004n)
  const cart = await fillCart(shop.store, shop.variantId)

  const { data } = await checkOut(shop, { cart })

  assert.partialDeepStrictEqual(data.order, { subtotal: 1.004, rounding_total: -0.004, total: 1 })
})

for (const payment_method of ['bank_transfer', 'cash_on_delivery', 'sandbox'])
  test(`an order by ${payment_method} keeps the exact total in dinars`, async () => {
    const shop = await shopAt('KWD', 1_337n)
    const cart = await fillCart(shop.store, shop.variantId)

    const { data } = await checkOut(shop, { cart, body: { payment_method, expected_total: 1.337 } })

    assert.partialDeepStrictEqual(data.order, { rounding_total: 0, total: 1.337 })
  })

test('expected_total is compared with the total rounded for the payment method', async () => {
  const shop = await shopAt('KWD', 1_337n)
  const cart = await fillCart(shop.store, shop.variantId)

  const { status, error_code, error } = await checkOut(shop, { cart, body: { expected_total: 1.337 } })

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'checkout.price_changed' })
  assert.match(error ?? '', /1\.34 KWD/)
})

test('with a voucher, only the amount paid by card is rounded', async () => {
  const shop = await shopAt('KWD', 1_500n)
  const { code } = await buildVoucher(shop.store, { amountMinor: 333n, currency: 'KWD' })
  const cart = await fillCart(shop.store, shop.variantId)

  const { data } = await checkOut(shop, { cart, body: { voucher_code: code } })

  assert.partialDeepStrictEqual(data.order, { voucher_total: 0.333, rounding_total: 0.003, total: 1.503 })
  await drainJobs()
  const intent = await confirm(await referenceOf(shop.store, data.payment.id))
  assert.equal(intent.amount, 1_170)
})

test('the cart states what a card pays and its rounding', async () => {
  const shop = await shopAt('KWD', 1_337n)

  const { data } = await request('POST /cart/items', {
    store: shop.store,
    body: { variant_id: shop.variantId, quantity: 1 },
  })

  assert.partialDeepStrictEqual(data, { total: 1.337, card_total: 1.34, card_rounding: 0.003 })
})

const OUTSIDE = [
  { why: 'below the minimum', currency: 'EUR', priceMinor: 49n, text: /at least 0\.5 EUR/ },
  { why: 'below the minimum', currency: 'HUF', priceMinor: 174n, text: /at least 175 HUF/ },
  { why: 'rounded to nothing', currency: 'KWD', priceMinor: 4n, text: /at least 0\.01 KWD/ },
  { why: 'above the maximum', currency: 'EUR', priceMinor: 100_000_000n, text: /at most 999999\.99 EUR/ },
]

for (const { why, currency, priceMinor, text } of OUTSIDE)
  test(`${priceMinor} minor ${currency} is ${why}: the cart offers no card and checkout says why`, async () => {
    const shop = await shopAt(currency, priceMinor)
    const cart = await fillCart(shop.store, shop.variantId)

    const shown = await request('GET /cart', { store: shop.store, cart })
    const { status, error_code, error } = await checkOut(shop, { cart })

    assert.partialDeepStrictEqual(shown.data, { card_total: null, card_rounding: null })
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'checkout.payment_method_disabled' })
    assert.match(error ?? '', text)
    const other = await checkOut(shop, { cart, body: { payment_method: 'bank_transfer' } })
    assert.equal(other.status, 201)
  })

test('an amount below the minimum that a voucher leaves to the card is refused; a voucher for all is not', async () => {
  const shop = await shopAt('EUR', 1_000n)
  const most = await buildVoucher(shop.store, { amountMinor: 970n })
  const all = await buildVoucher(shop.store, { amountMinor: 1_000n })
  const cart = await fillCart(shop.store, shop.variantId)

  const refused = await checkOut(shop, { cart, body: { voucher_code: most.code } })
  const placed = await checkOut(shop, { cart, body: { voucher_code: all.code } })

  assert.partialDeepStrictEqual(refused, { status: 422, error_code: 'checkout.payment_method_disabled' })
  assert.match(refused.error ?? '', /at least 0\.5 EUR.*0\.3 EUR/)
  assert.partialDeepStrictEqual(placed, { status: 201, data: { order: { payment_method: 'voucher' } } })
})

test('the list of payment methods states the limits of the card', async () => {
  const { store } = await shopAt('JPY', 500n)

  const { data } = await request('GET /settings/payment-methods', { store })

  const limits = new Map(
    data.map(({ code, min_amount, max_amount }: Limited) => [code, { min_amount, max_amount }]),
  )
  assert.deepEqual(limits.get('card'), { min_amount: 50, max_amount: 99_999_999 })
  assert.deepEqual(limits.get('bank_transfer'), { min_amount: null, max_amount: null })
})

interface Limited {
  code: string
  min_amount: number | null
  max_amount: number | null
}

testBooks()
