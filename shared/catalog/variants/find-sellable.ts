import {
  appliedPriceSql,
  basePriceSql,
  NO_GROUP,
  priceRuleSql,
  runningSalePriceSql,
} from '#shared/catalog/prices/current-price.ts'
import { variantImageSql } from '#shared/catalog/product-image.ts'
import { availableSql } from '#shared/inventory/stock-level.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Texts } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'

/** A variant with the data for a cart or order line. Prices are in minor units of the store's currency. */
export interface Sellable {
  variantId: string
  productId: string
  slug: string
  nameI18n: Texts
  sku: string
  optionValues: Record<string, string>
  imageUrl: string | null
  /** The price without a sale. */
  basePriceMinor: bigint
  /** Null outside the window of the sale. */
  salePriceMinor: bigint | null
  /** The current price of one unit for the given quantity. */
  unitPriceMinor: bigint
  weightGrams: number | null
  /** Null for the store's default tax class. */
  taxClassId: string | null
  /** The units that can still be promised. */
  stockAvailable: number
  /** Whether it can be sold beyond its stock. */
  backorder: boolean
  /** Whether product and variant are published and not deleted. */
  isSellable: boolean
}

/**
 * SQL columns of a `Sellable`, for a variant `v` and its product `p`. The parameters are SQL expressions: `at` of a
 * timestamptz, `quantity` of the units of the line, `group` of the buyer's customer group.
 */
export const sellableSql = (at: string, quantity = '1', group = NO_GROUP): string => `
    v.id as "variantId", p.id as "productId", p.slug, p.name_i18n as "nameI18n", v.sku,
    v.option_values as "optionValues", ${variantImageSql('v', 'p')} as "imageUrl",
    ${basePriceSql('v', 'p')} as "basePriceMinor",
    ${runningSalePriceSql('v', at)} as "salePriceMinor",
    ${appliedPriceSql('v', 'p', at, priceRuleSql('p', quantity, at, group))} as "unitPriceMinor",
    coalesce(v.weight_grams, p.weight_grams) as "weightGrams", p.tax_class_id as "taxClassId",
    ${availableSql('v')} as "stockAvailable", v.backorder,
    v.is_active and p.is_active and v.deleted_at is null and p.deleted_at is null as "isSellable"`

/** SQL: joins variant `v` to its product `p`, also if deleted. */
const JOIN_PRODUCT = 'join products p on p.store_id = v.store_id and p.id = v.product_id'

/** SQL: joins a row with a `variant_id` to its variant `v` and product `p`, including deleted ones. */
export const joinVariantSql = (row: string): string => `
  join product_variants v on v.store_id = ${row}.store_id and v.id = ${row}.variant_id
  ${JOIN_PRODUCT}`

const FIND_SELLABLE: Statement = {
  name: 'find_sellable',
  text: `
  select ${sellableSql('$2::timestamptz')}
  from product_variants v ${JOIN_PRODUCT}
  where v.store_id = ${CURRENT_STORE} and v.id = any($1::uuid[])`,
}

/**
 * Returns variants by id, including unpublished and deleted ones. It is one query. Unknown ids have no entry.
 * `unitPriceMinor` is the price of one unit, without a customer group.
 */
export async function findSellable(tx: StoreTx, variantIds: string[]): Promise<Map<string, Sellable>> {
  if (variantIds.length === 0) return new Map()
  const found = await tx.prepared<Sellable>(FIND_SELLABLE, [variantIds, now()])
  return new Map(found.map((sellable) => [sellable.variantId, sellable]))
}

/** Returns the id of the product's first published variant, the default for a cart; undefined without one. */
export async function findDefaultVariantId(tx: StoreTx, productId: string): Promise<string | undefined> {
  const first = await tx
    .knex('product_variants')
    .where({ store_id: tx.storeId, product_id: productId, is_active: true, deleted_at: null })
    .orderBy('position')
    .first('id')
  return first?.id
}
