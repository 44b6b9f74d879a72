import { StoreModel } from '#shared/platform/db/model.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** The largest number of units of one variant on hand. */
export const MAX_STOCK = 1_000_000_000

/** The units of a variant. */
export interface StockLevels {
  stockOnHand: number
  /** The units that are sold but not yet shipped. */
  stockAllocated: number
  /** The units that are promised to orders with an open payment. */
  stockHeld: number
}

/** SQL: the number of the hour of a time. */
export const hourSql = (time: string): string =>
  `floor(extract(epoch from ${time} - timestamptz '2000-01-01 00:00:00+00') / 3600)::integer`

/**
 * SQL: the ids of the store's products whose stock changed since the start of an hour. The only placeholder is a time
 * in this hour.
 */
export const PRODUCTS_WITH_CHANGED_STOCK = `
  select product_id from product_variants
  where store_id = ${CURRENT_STORE} and stock_changed_hour >= ${hourSql('?::timestamptz')}`

/** Returns the units that can still be promised. It is below zero if backorders exceed the units on hand. */
export const availableUnits = ({ stockOnHand, stockAllocated, stockHeld }: StockLevels): number =>
  stockOnHand - stockAllocated - stockHeld

/** SQL: `availableUnits` of a row of `product_variants` under its alias. */
export const availableSql = (variant: string): string =>
  `${variant}.stock_on_hand - ${variant}.stock_allocated - ${variant}.stock_held`

/**
 * SQL: the new `stock_changed_at` of a variant that changes at a time. It is always later than the previous one, even
 * if this change waited for another, so that readers of the list of changes see both.
 */
export const stockChangedAtSql = (time: string): string =>
  `greatest(${time}::timestamptz, stock_changed_at + interval '1 millisecond')`

/**
 * The stock of one variant. Only this domain writes its columns. They are part of the variant's row, because storefront
 * lists read the levels of each variant, and a separate table would add a join.
 */
export class StockLevel extends StoreModel implements StockLevels {
  static override tableName = 'product_variants'

  declare productId: string
  declare sku: string
  declare stockOnHand: number
  declare stockAllocated: number
  declare stockHeld: number
  /** The time of the last change of the levels; null before the first change. */
  declare stockChangedAt: Date | null
}

const COLUMNS = ['id', 'product_id', 'sku', 'stock_on_hand', 'stock_allocated', 'stock_held']

/** Returns the stock of a variant that is not deleted. */
export const findStockLevel = (tx: StoreTx, variantId: string) =>
  StockLevel.in(tx)
    .findById(variantId)
    .whereNull('deleted_at')
    .select(...COLUMNS)

/** Returns the stock of variants, deleted ones too. */
export const findStockLevels = (tx: StoreTx, variantIds: string[]) =>
  StockLevel.in(tx)
    .whereIn('id', variantIds)
    .select(...COLUMNS)

/** Units of a variant. */
export interface VariantUnits {
  variantId: string
  quantity: number
}

/** Returns the two arrays that SQL joins again with `unnest(uuid[], int[])`. */
export const toArrays = (units: readonly VariantUnits[]): [string[], number[]] => [
  units.map(({ variantId }) => variantId),
  units.map(({ quantity }) => quantity),
]
