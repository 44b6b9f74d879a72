import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/processes/gateway.ts'
import { addCartItem } from '#shared/cart/items/add-cart-item.ts'
import { addCartVoucher } from '#shared/cart/items/add-cart-voucher.ts'
import { checkOut } from '#shared/checkout/check-out.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { refundRemainder } from '#shared/refunds/request/refund-remainder.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { applyCapture } from '#shared/settlement/apply-capture.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import { resolveMismatch } from '#shared/settlement/resolve-mismatch.ts'
import { startSubscriptions } from '#shared/subscriptions/lifecycle/start-subscriptions.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { type Answered, reportReader } from '#test/support/books/ask-report.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { ADDRESS, buildOrder, buildPaidOrder, readStore } from '#test/support/builders/orders.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildTaxRate } from '#test/support/builders/taxes.ts'

const GERMANY = [{ country: 'DE' }]

/** A store with 19 % (the default class, shipping too), 7 % and an untaxed class, and a product of 10.00 of each. */
async function buildTaxedShop(given: { pricesIncludeTax?: boolean } = {}) {
  const store = await buildStore({ country: 'DE', ...given })
  const full = await buildTaxRate(store, { percent: 19, members: GERMANY })
  const reduced = await buildTaxRate(store, { percent: 7, members: GERMANY })
  const variants: string[] = []
  for (const taxClassId of [full.taxClassId, reduced.taxClassId, null]) {
    const { variants: built } = await buildProduct(store, { taxClassId })
    variants.push(built[0]?.id ?? '')
  }
  return { store, variants, ask: await reportReader(store) }
}

/** A paid order of two units of each variant, and shipping of 5.00. */
async function buy(store: BuiltStore, variants: string[]) {
  const items = variants.map((variantId) => ({ variantId, quantity: 2 }))
  const order = await buildOrder(store, { items, paymentMethod: 'bank_transfer' })
  await inStore(store.id, (tx) => markOrderPaid(tx, order.id, 'system'))
  const lines = new Map(order.items.map(({ id, variantId }) => [variantId, id]))
  return {
    ...order,
    refund: (
      parts:
        | { amountMinor: bigint }
        | { items: { variant: string | undefined; quantity: number }[]; shippingAmountMinor?: bigint },
    ) =>
      inStore(store.id, (tx) =>
        requestRefund(
          tx,
          order.id,
          {
            ...('items' in parts
              ? {
                  ...parts,
                  items: parts.items.map(({ variant = '', quantity }) => ({
                    orderItemId: lines.get(variant) ?? '',
                    quantity,
                  })),
                }
              : parts),
            reason: 'Test',
            means: 'outside_gateway',
          },
          requester('system'),
        ),
      ),
  }
}

const at = (rows: Answered[], percent: number): Answered => rows.find((row) => row.percent === percent)

test('the report lists the tax of goods by rate, class and zone, and that of shipping', async () => {
  const { store, variants, ask } = await buildTaxedShop()
  await buy(store, variants)

  const { rows, totals } = await ask('tax')

  assert.equal(rows.length, 3)
  assert.partialDeepStrictEqual(at(rows, 19), { country: 'DE', net_sales: 20, tax_on_sales: 3.8 })
  assert.partialDeepStrictEqual(at(rows, 7), { country: 'DE', net_sales: 20, tax_on_sales: 1.4 })
  // Goods and shipping without a class, in a store without a default class.
  assert.partialDeepStrictEqual(at(rows, 0), {
    rate: '',
    tax_class: '',
    zone: '',
    net_sales: 25,
    tax_on_sales: 0,
  })
  assert.match(
    `${at(rows, 7).zone} ${at(rows, 7).tax_class} ${at(rows, 7).rate}`,
    /^Zone \d+ Class \d+ Rate \d+$/,
  )
  assert.equal(totals.tax, (await ask('sales')).totals.tax)
  assert.equal(totals.net, 65)
})

test('a refund of units takes off the tax of their class only', async () => {
  const { store, variants, ask } = await buildTaxedShop()
  const order = await buy(store, variants)
  await order.refund({ items: [{ variant: variants[1], quantity: 1 }] })

  const { rows } = await ask('tax')

  assert.partialDeepStrictEqual(at(rows, 7), { net_refunds: 10, tax_on_refunds: 0.7, net: 10, tax: 0.7 })
  assert.partialDeepStrictEqual(at(rows, 19), { net_refunds: 0, tax: 3.8 })
})

test('a refund of an amount reduces the tax in proportion to the unrefunded prices', async () => {
  const { store, variants, ask } = await buildTaxedShop()
  const order = await buy(store, variants.slice(0, 2))
  // 23.80 and 21.40 and 5.00 are 50.20: the rest of it is a half.
  await order.refund({ items: [{ variant: variants[1], quantity: 2 }] })
  await order.refund({ amountMinor: 1_440n })

  const { rows } = await ask('tax')

  assert.partialDeepStrictEqual(at(rows, 7), { net: 0, tax: 0 })
  assert.partialDeepStrictEqual(at(rows, 19), { net: 10, tax: 1.9 })
})

for (const pricesIncludeTax of [false, true])
  test(`refunds in any parts leave no tax of an order ${pricesIncludeTax ? 'with' : 'without'} tax in its prices`, async () => {
    const { store, variants, ask } = await buildTaxedShop({ pricesIncludeTax })
    const order = await buy(store, variants)
    await order.refund({ amountMinor: 333n })
    await order.refund({ items: [{ variant: variants[0], quantity: 1 }], shippingAmountMinor: 199n })
    await order.refund({ amountMinor: 701n })
    await order.refund({ items: [{ variant: variants[1], quantity: 2 }] })
    const { totals: before } = await ask('sales')
    await order.refund({ amountMinor: BigInt(Math.round(before.total * 100)) })

    const { rows, totals } = await ask('tax')

    assert.equal((await ask('sales')).totals.total, 0)
    assert.ok(totals.tax_on_sales > 0)
    for (const row of rows) assert.partialDeepStrictEqual(row, { net: 0, tax: 0 })
  })

test('two rates of a class are two rows with the same net amount', async () => {
  const store = await buildStore({ country: 'CA' })
  const { taxClassId } = await buildTaxRate(store, { percent: 5 })
  await buildTaxRate(store, { percent: 10, taxClassId, priority: 2, isCompound: true })
  const { variants } = await buildProduct(store, { taxClassId })
  await buy(store, [variants[0]?.id ?? ''])
  const ask = await reportReader(store)

  const { rows } = await ask('tax')

  assert.partialDeepStrictEqual(at(rows, 5), { net: 20, tax: 1 })
  assert.partialDeepStrictEqual(at(rows, 10), { net: 20, tax: 2.1 })
})

test('the tax of an order from before its classes were recorded is reported by rate', async () => {
  const { store, variants, ask } = await buildTaxedShop()
  const order = await buy(store, variants.slice(0, 1))
  await inStore(store.id, async (tx) => {
    await tx.knex('order_items').update({ tax_class_id: null })
    await tx.knex.raw(`update orders set shipping_tax_class_id = null,
      taxes = (select jsonb_agg(t - 'taxClassId' - 'geoZoneId') from jsonb_array_elements(taxes) t)`)
  })
  await order.refund({ amountMinor: 1_440n })

  const { rows } = await ask('tax')

  assert.partialDeepStrictEqual(at(rows, 19), {
    tax_class: '',
    zone: '',
    net_sales: 20,
    tax_on_sales: 3.8,
    tax: 1.9,
  })
})

/** A paid order of a unit of a variant, shipping of 5.00 and a gift voucher of 10.00, of which staff took off 4.00. */
async function buyWithVoucher(store: BuiltStore, variantId: string) {
  const shipping = await buildShippingMethod(store, { priceMinor: 500n })
  await buildPaymentMethods(store)
  const visit = await readStore(store.id)
  return inStore(store.id, async (tx) => {
    const guest = { customerId: null, cartToken: null }
    const { token = null } = await addCartItem(tx, guest, { variantId, quantity: 1 })
    const holder = { customerId: null, cartToken: token }
    const people = {
      fromName: 'Ada',
      fromEmail: 'ada@example.test',
      toName: 'Grace',
      toEmail: 'grace@example.test',
    }
    await addCartVoucher(tx, visit.currency, holder, { amountMinor: 1_000n, ...people })
    const request = {
      email: 'ada@example.test',
      firstname: 'Ada',
      lastname: 'Byron',
      telephone: '+49 431 1234',
      shippingAddress: ADDRESS,
      shippingMethodId: shipping.id,
      paymentMethod: 'bank_transfer',
    }
    const { order, view } = await checkOut(
      tx,
      { store: visit, language: 'en', holder, request },
      startSubscriptions,
    )
    await markOrderPaid(tx, order.id, 'system')
    const voucher = await Voucher.in(tx).findOne('order_id', order.id).throwIfNotFound()
    await bookVoucherEntry(tx, { voucherId: voucher.id, kind: 'adjust', amountMinor: -400n })
    return { id: order.id, voucherLineId: view.items.find(({ variant_id }) => !variant_id)?.id ?? '' }
  })
}

test('a refund of the unspent part of a gift voucher takes off no tax', async () => {
  const { store, variants, ask } = await buildTaxedShop()
  const order = await buyWithVoucher(store, variants[0] ?? '')
  const items = [{ orderItemId: order.voucherLineId, quantity: 1 }]

  const refund = await inStore(store.id, (tx) => requestRefund(tx, order.id, { items }, requester('system')))

  assert.equal(refund.amountMinor, 600n)
  const { rows, totals } = await ask('tax')
  assert.partialDeepStrictEqual(at(rows, 19), { net_refunds: 0, tax_on_refunds: 0, net: 10, tax: 1.9 })
  assert.equal(totals.net, 15)
})

test('a whole refund leaves no tax of an order that was rounded down', async () => {
  const store = await buildStore({ country: 'TN', currency: 'TND' })
  const { taxClassId } = await buildTaxRate(store, { percent: 19 })
  const { variants } = await buildProduct(store, { taxClassId, priceMinor: 3_365n })
  const items = [{ variantId: variants[0]?.id ?? '', quantity: 1 }]
  const order = await buildPaidOrder(store, { items, shippingPriceMinor: 0n })
  const { id } = (await inStore(store.id, (tx) => refundRemainder(tx, order.id, 'system'))) ?? { id: '' }
  await inStore(store.id, (tx) =>
    settleRefund(tx, id, { status: 'succeeded', reference: 're_rounded', failureReason: null }),
  )

  const { rows } = await (await reportReader(store))('tax')

  assert.equal(order.totalMinor, 4_000n)
  assert.partialDeepStrictEqual(at(rows, 19), { tax_on_sales: 0.639, net: 0, tax: 0 })
})

test('a whole refund leaves no tax of an order whose accepted payment was short', async () => {
  const { store, variants, ask } = await buildTaxedShop()
  const order = await buildOrder(store, { items: [{ variantId: variants[0] ?? '', quantity: 2 }] })
  const paymentId = order.paymentId ?? ''
  const refund = await inStore(store.id, async (tx) => {
    const reference = 'pi_short'
    await recordOpenedPayment(tx, paymentId, { reference, clientSecret: 'secret' })
    await applyCapture(tx, paymentId, { reference, amountMinor: 2_000n, currency: 'EUR' })
    await resolveMismatch(tx, { orderId: order.id, paymentId, decision: 'accept' }, 'system')
    return refundRemainder(tx, order.id, 'system')
  })
  await inStore(store.id, (tx) =>
    settleRefund(tx, refund?.id ?? '', { status: 'succeeded', reference: 're_short', failureReason: null }),
  )

  const { rows } = await ask('tax')

  assert.equal((await ask('sales')).totals.total, 0)
  for (const row of rows) assert.partialDeepStrictEqual(row, { net: 0, tax: 0 })
})

testBooks()
