import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { appliedPriceSql, runningSalePriceSql } from '#shared/catalog/prices/current-price.ts'
import { db } from '#shared/platform/db/db.ts'

interface Prices {
  price_minor?: number
  sale_price_minor?: number
  sale_starts_at?: Date
  sale_ends_at?: Date
}

interface Priced {
  applied: bigint
  sale: bigint | null
}

const AT = new Date('2026-05-10T12:00:00.000Z')
const before = new Date(AT.getTime() - 1)
const after = new Date(AT.getTime() + 1)
const sale = { sale_price_minor: 700 }

/** What PostgreSQL makes of a variant, at that moment, of a product of 10.00. */
async function priced(variant: Prices): Promise<Priced | undefined> {
  const at = 'cast(:at as timestamptz)'
  const { rows } = await db().raw<{ rows: Priced[] }>(
    `select ${appliedPriceSql('v', 'p', at)} as applied, ${runningSalePriceSql('v', at)} as sale
     from json_to_record(:variant) as
       v (price_minor bigint, sale_price_minor bigint, sale_starts_at timestamptz, sale_ends_at timestamptz)
     cross join (select 1000::bigint as price_minor) p`,
    { at: AT, variant: JSON.stringify(variant) },
  )
  return rows[0]
}

const CASES: [string, Prices, bigint, bigint | null][] = [
  ["the product's price where the variant has none", {}, 1_000n, null],
  ["the variant's price", { price_minor: 1_200 }, 1_200n, null],
  ['a sale without a window', sale, 700n, 700n],
  ['not a sale that is dearer than the price', { sale_price_minor: 1_100 }, 1_000n, 1_100n],
  ['a sale of nothing: a gift', { sale_price_minor: 0 }, 0n, 0n],
  ['a sale that starts this moment', { ...sale, sale_starts_at: AT }, 700n, 700n],
  ['not a sale that starts later', { ...sale, sale_starts_at: after }, 1_000n, null],
  ['not a sale that ends this moment', { ...sale, sale_ends_at: AT }, 1_000n, null],
  ['a sale that ends later', { ...sale, sale_ends_at: after }, 700n, 700n],
  ['not a sale that is over', { ...sale, sale_starts_at: before, sale_ends_at: before }, 1_000n, null],
  ['nothing of a window without a sale', { sale_starts_at: before, sale_ends_at: after }, 1_000n, null],
]

for (const [name, variant, applied, running] of CASES)
  test(`applied is ${name}`, async () => {
    assert.deepEqual(await priced(variant), { applied, sale: running })
  })
