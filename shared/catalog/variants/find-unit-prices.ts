import { appliedPriceSql, priceRuleSql } from '#shared/catalog/prices/current-price.ts'
import { customerGroupSql } from '#shared/customers/customer-group.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { joinVariantSql } from './find-sellable.ts'

const RULED = priceRuleSql('p', 'q.quantity', '$3::timestamptz', customerGroupSql('$4::uuid'))

const FIND_UNIT_PRICES: Statement = {
  name: 'find_unit_prices',
  text: `
  select q.quantity, ${appliedPriceSql('v', 'p', '$3::timestamptz', RULED)} as "unitPriceMinor"
  from (select ${CURRENT_STORE} as store_id, $1::uuid as variant_id, unnest($2::int[]) as quantity) q
  ${joinVariantSql('q')}`,
}

/** Returns the current prices of one unit of a variant for a customer, by bought quantity. */
export async function findUnitPrices(
  tx: StoreTx,
  { variantId, customerId }: { variantId: string; customerId: string },
  quantities: readonly number[],
): Promise<ReadonlyMap<number, bigint>> {
  const values = [variantId, [...quantities], now(), customerId]
  const rows = await tx.prepared<{ quantity: number; unitPriceMinor: bigint }>(FIND_UNIT_PRICES, values)
  return new Map(rows.map(({ quantity, unitPriceMinor }) => [quantity, unitPriceMinor]))
}
