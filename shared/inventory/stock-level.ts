import { StoreModel } from '#shared/platform/db/model.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** The maximum of units of one variant on hand. */
export const MAX_STOCK = 1_000_000_000

/** The units of a variant. */
export interface StockLevels {
  stockOnHand: number
  /** Sold and not yet shipped. */
  stockAllocated: number
  /** Promised to orders whose payment is open. */
  stockHeld: number
}

/** SQL: the number of the hour of a time. */
export const hourSql = (time: string): string =>
  `floor(extract(epoch from ${time} - timestamptz '2000-01-01 00:00:00+00') / 3600)::integer`

/**
 * SQL: the ids of the products of the current store with a stock that changed since the beginning of the hour of a
 * time, the only placeholder.
 */
export const PRODUCTS_WITH_CHANGED_STOCK = `
  select product_id from product_variants
  where store_id = ${CURRENT_STORE} and stock_changed_hour >= ${hourSql('?::timestamptz')}`

/** Units that can still be promised; below zero when more was sold on backorder than there is. */
export const availableUnits = ({ stockOnHand, stockAllocated, stockHeld }: StockLevels): number =>
  stockOnHand - stockAllocated - stockHeld

/** SQL: `availableUnits` of a row of `product_variants` under its alias. */
export const availableSql = (variant: string): string =>
  `${variant}.stock_on_hand - ${variant}.stock_allocated - ${variant}.stock_held`

/**
 * SQL: the `stock_changed_at` of a changed variant at a time. It is later than the one before, also where the change
 * waited for another one: who reads the list of changes sees both.
 */
export const stockChangedAtSql = (time: string): string =>
  `greatest(${time}::timestamptz, stock_changed_at + interval '1 millisecond')`

/**
 * The stock of one variant. Its columns are part of the variant's row, because storefront lists read the levels of
 * every variant they show: a table of their own would add a join to each. Only this domain writes them.
 */
export class StockLevel extends StoreModel implements StockLevels {
  static override tableName = 'product_variants'

  declare productId: string
  declare sku: string
  declare stockOnHand: number
  declare stockAllocated: number
  declare stockHeld: number
  /** The last change of the levels; null: they are the first ones. */
  declare stockChangedAt: Date | null
}

const COLUMNS = ['id', 'product_id', 'sku', 'stock_on_hand', 'stock_allocated', 'stock_held']

/** The stock of a variant that is not deleted. */
export const findStockLevel = (tx: StoreTx, variantId: string) =>
  StockLevel.in(tx)
    .findById(variantId)
    .whereNull('deleted_at')
    .select(...COLUMNS)

/** The stock of variants, deleted ones too. */
export const findStockLevels = (tx: StoreTx, variantIds: string[]) =>
  StockLevel.in(tx)
    .whereIn('id', variantIds)
    .select(...COLUMNS)

/** Units of a variant. */
export interface VariantUnits {
  variantId: string
  quantity: number
}

/** The two arrays that SQL joins again with `unnest(uuid[], int[])`. */
export const toArrays = (units: readonly VariantUnits[]): [string[], number[]] => [
  units.map(({ variantId }) => variantId),
  units.map(({ quantity }) => quantity),
]
