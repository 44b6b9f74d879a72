import { appliedPriceSql, priceRuleSql, runningRulesSql } from '#shared/catalog/prices/current-price.ts'
import { customerGroupSql } from '#shared/customers/customer-group.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { joinVariantSql } from './find-sellable.ts'

/** The price of a unit, in minor units, and the quantity that it needs. */
export interface UnitPrice {
  unitPriceMinor: bigint
  /** 1 without a quantity discount. */
  minQuantity: number
}

const AT = '$3::timestamptz'
const GROUP = customerGroupSql('$4::uuid')

const FIND_UNIT_PRICE: Statement = {
  name: 'find_unit_price',
  text: `
  select price.applied as "unitPriceMinor",
    case when ${appliedPriceSql('v', 'p', AT)} = price.applied then 1
      else (select min(r.min_quantity) ${runningRulesSql('p', AT, GROUP)} and r.price_minor = price.applied)
    end as "minQuantity"
  from (select ${CURRENT_STORE} as store_id, $1::uuid as variant_id, $2::int as quantity) q
  ${joinVariantSql('q')}
  cross join lateral (
    select ${appliedPriceSql('v', 'p', AT, priceRuleSql('p', 'q.quantity', AT, GROUP))} as applied) price`,
}

/**
 * Returns the current price of one unit of a variant for a customer, at a bought quantity. A deleted variant has a
 * price too; an unknown one has none.
 */
export async function findUnitPrice(
  tx: StoreTx,
  { variantId, customerId, quantity }: { variantId: string; customerId: string; quantity: number },
): Promise<UnitPrice | undefined> {
  const [row] = await tx.prepared<UnitPrice>(FIND_UNIT_PRICE, [variantId, quantity, now(), customerId])
  return row
}
