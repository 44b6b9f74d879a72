import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/gateway.ts'
import { markPaid } from '#shared/payments/capture/mark-paid.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { type Answered, reportReader } from '#test/support/ask-report.ts'
import { type BuiltStore, buildStore } from '#test/support/build.ts'
import { buildProduct } from '#test/support/build-catalog.ts'
import { buildOrder } from '#test/support/build-orders.ts'
import { buildTaxRate } from '#test/support/build-taxes.ts'
import { testBooks } from '#test/support/test-books.ts'

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
  await inStore(store.id, (tx) => markPaid(tx, order.id, 'system'))
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
            ...{ reason: 'Test', means: 'outside_gateway' },
          },
          'system',
        ),
      ),
  }
}

const at = (rows: Answered[], percent: number): Answered => rows.find((row) => row.percent === percent)

test('tax is of the rate, class and zone of the goods, and of shipping', async () => {
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

test('a refund of an amount takes off the tax of what is left in proportion', async () => {
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

testBooks()
