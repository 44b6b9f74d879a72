import { type Static, Type } from 'typebox'
import { assertCustomerGroup } from '#shared/customers/customer-group.ts'
import { readRowsInPieces } from '#shared/platform/db/read-in-pieces.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { assertEndsAfter } from '#shared/platform/validation.ts'
import { ProductErrors } from './errors.ts'

/**
 * A price of a product in minor units. It applies within a window, from a number of units in one line. A special price
 * applies from one unit, a quantity discount from more. Rules have no ids; they are replaced together.
 */
export interface PriceRule {
  minQuantity: number
  priceMinor: bigint
  startsAt: Date | null
  endsAt: Date | null
  /** The customer group that it is for; null or undefined for everyone. */
  customerGroupId?: string | null
}

/** Throws `product.price_rule_not_positive`, and 422 for a window that ends before it starts. */
export function checkPriceRules(rules: PriceRule[]): void {
  for (const [index, { priceMinor, startsAt, endsAt }] of rules.entries()) {
    if (priceMinor <= 0n) throw ProductErrors.priceRuleNotPositive()
    assertEndsAfter(['price_rules', index, 'ends_at'], startsAt, endsAt)
  }
}

/** Throws 422 for a rule of an unknown customer group. Known groups cannot be deleted until the transaction ends. */
export async function assertRuleGroups(tx: StoreTx, rules: PriceRule[]): Promise<void> {
  for (const [index, { customerGroupId }] of rules.entries())
    await assertCustomerGroup(tx, customerGroupId, ['price_rules', index, 'customer_group_id'])
}

interface PriceRuleRow {
  product_id: string
  position: number
  min_quantity: number
  price_minor: bigint
  starts_at: Date | null
  ends_at: Date | null
  customer_group_id: string | null
}

/** Returns the price rules of products in sequence, by product id. */
export async function findPriceRules(tx: StoreTx, productIds: string[]): Promise<Map<string, PriceRule[]>> {
  const query = tx.knex('price_rules').where('store_id', tx.storeId).whereIn('product_id', productIds)
  const rows: PriceRuleRow[] = await readRowsInPieces(query, ['product_id', 'position'])
  const byProduct = Map.groupBy(rows, ({ product_id }) => product_id)
  return new Map([...byProduct].map(([id, rules]) => [id, rules.map(toRule)]))
}

const toRule = (row: PriceRuleRow): PriceRule => ({
  minQuantity: row.min_quantity,
  priceMinor: row.price_minor,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  customerGroupId: row.customer_group_id,
})

/** Replaces the price rules of a product. The caller has checked them. */
export async function replacePriceRules(tx: StoreTx, productId: string, rules: PriceRule[]): Promise<void> {
  await tx.knex('price_rules').where({ store_id: tx.storeId, product_id: productId }).delete()
  if (rules.length === 0) return
  await tx.knex('price_rules').insert(
    rules.map(({ minQuantity, priceMinor, startsAt, endsAt, customerGroupId }, position) => ({
      store_id: tx.storeId,
      product_id: productId,
      position,
      min_quantity: minQuantity,
      price_minor: priceMinor,
      starts_at: startsAt,
      ends_at: endsAt,
      customer_group_id: customerGroupId ?? null,
    })),
  )
}

export const PriceRuleKind = Type.Enum(['special', 'quantity'])

/** Returns the kind of a price rule by the number of units from which it applies. */
export const priceRuleKind = (minQuantity: number): Static<typeof PriceRuleKind> =>
  minQuantity === 1 ? 'special' : 'quantity'

export const PriceRuleView = Shape({
  kind: PriceRuleKind,
  min_quantity: Type.Integer({
    description: 'The number of units of one line from which the price applies; 1 for a special price',
  }),
  price: Money,
  starts_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
  customer_group_id: { ...Nullable(Uuid), description: 'The customers whom it is for; null: everyone' },
})

export const viewPriceRule = (
  { minQuantity, priceMinor, startsAt, endsAt, customerGroupId = null }: PriceRule,
  currency: string,
): Static<typeof PriceRuleView> => ({
  kind: priceRuleKind(minQuantity),
  min_quantity: minQuantity,
  price: toMajor(priceMinor, currency),
  starts_at: toTimestampOrNull(startsAt),
  ends_at: toTimestampOrNull(endsAt),
  customer_group_id: customerGroupId,
})
