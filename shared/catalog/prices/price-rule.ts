import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid } from '#shared/platform/validation.ts'
import { ProductErrors } from '../errors.ts'

/**
 * A price that stands beside a product's own while its window is open, for lines of so many units: a special price is
 * for one unit already, a quantity discount for more. Minor units. It has no identity: rules are replaced together.
 */
export interface PriceRule {
  minQuantity: number
  priceMinor: bigint
  startsAt: Date | null
  endsAt: Date | null
}

/** Refuses a rule whose price is not above zero (`product.price_rule_not_positive`) or whose window never opens (422). */
export function checkPriceRules(rules: PriceRule[]): void {
  for (const [index, { priceMinor, startsAt, endsAt }] of rules.entries()) {
    if (priceMinor <= 0n) throw ProductErrors.priceRuleNotPositive()
    if (startsAt && endsAt && endsAt <= startsAt)
      throw invalid(['price_rules', index, 'ends_at'], 'A price rule ends after it starts')
  }
}

interface PriceRuleRow {
  product_id: string
  min_quantity: number
  price_minor: bigint
  starts_at: Date | null
  ends_at: Date | null
}

/** The price rules of products, in their order, by product. */
export async function findPriceRules(tx: StoreTx, productIds: string[]): Promise<Map<string, PriceRule[]>> {
  const rows: PriceRuleRow[] = await tx
    .knex('price_rules')
    .where('store_id', tx.storeId)
    .whereIn('product_id', productIds)
    .orderBy('position')
  const byProduct = Map.groupBy(rows, ({ product_id }) => product_id)
  return new Map([...byProduct].map(([id, rules]) => [id, rules.map(toRule)]))
}

const toRule = (row: PriceRuleRow): PriceRule => ({
  minQuantity: row.min_quantity,
  priceMinor: row.price_minor,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
})

/** Gives a product these rules and no others. They are checked. */
export async function replacePriceRules(tx: StoreTx, productId: string, rules: PriceRule[]): Promise<void> {
  await tx.knex('price_rules').where({ store_id: tx.storeId, product_id: productId }).delete()
  if (rules.length === 0) return
  await tx.knex('price_rules').insert(
    rules.map(({ minQuantity, priceMinor, startsAt, endsAt }, position) => ({
      store_id: tx.storeId,
      product_id: productId,
      position,
      min_quantity: minQuantity,
      price_minor: priceMinor,
      starts_at: startsAt,
      ends_at: endsAt,
    })),
  )
}
