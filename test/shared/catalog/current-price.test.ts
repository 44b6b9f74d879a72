import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import {
  appliedPrice,
  appliedPriceSql,
  runningSalePrice,
  type VariantPrices,
} from '#shared/catalog/current-price.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { buildStore } from '#test/support/build.ts'

const AT = new Date('2026-05-10T12:00:00.000Z')
const before = new Date(AT.getTime() - 1)
const after = new Date(AT.getTime() + 1)
const plain: VariantPrices = { priceMinor: null, salePriceMinor: null, saleStartsAt: null, saleEndsAt: null }
const sale = { ...plain, salePriceMinor: 700n }

const CASES: [string, VariantPrices, bigint][] = [
  ["the product's price where the variant has none", plain, 1_000n],
  ["the variant's price", { ...plain, priceMinor: 1_200n }, 1_200n],
  ['a sale without a window', sale, 700n],
  ['a sale that is dearer than the price', { ...sale, salePriceMinor: 1_100n }, 1_000n],
  ['a sale of nothing: a gift', { ...sale, salePriceMinor: 0n }, 0n],
  ['a sale that starts this moment', { ...sale, saleStartsAt: AT }, 700n],
  ['a sale that starts later', { ...sale, saleStartsAt: after }, 1_000n],
  ['a sale that ends this moment', { ...sale, saleEndsAt: AT }, 1_000n],
  ['a sale that ends later', { ...sale, saleEndsAt: after }, 700n],
  ['a sale that is over', { ...sale, saleStartsAt: before, saleEndsAt: before }, 1_000n],
  ['a window without a sale', { ...plain, saleStartsAt: before, saleEndsAt: after }, 1_000n],
]

for (const [name, variant, expected] of CASES)
  test(`applied is ${name}`, () => {
    assert.equal(appliedPrice(variant, { priceMinor: 1_000n }, AT), expected)
  })

test('the sale price is null outside its window', () => {
  assert.equal(runningSalePrice({ ...sale, saleStartsAt: after }, AT), null)
  assert.equal(runningSalePrice(sale, AT), 700n)
})

test('PostgreSQL computes the same', async () => {
  const store = await buildStore()
  const rows = CASES.map(([, variant]) => ({
    price_minor: variant.priceMinor?.toString() ?? null,
    sale_price_minor: variant.salePriceMinor?.toString() ?? null,
    sale_starts_at: variant.saleStartsAt,
    sale_ends_at: variant.saleEndsAt,
  }))

  const { rows: priced } = await inStore(store.id, (tx) =>
    tx.knex.raw(
      `select ${appliedPriceSql('v', 'p', 'cast(:at as timestamptz)')} as price
       from json_to_recordset(:rows) as v (price_minor bigint, sale_price_minor bigint, sale_starts_at timestamptz, sale_ends_at timestamptz)
       cross join (select 1000::bigint as price_minor) p`,
      { at: AT, rows: JSON.stringify(rows) },
    ),
  )

  assert.deepEqual(
    priced.map(({ price }: { price: bigint }) => price),
    CASES.map(([, , expected]) => expected),
  )
})
