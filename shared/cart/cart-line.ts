import { joinVariantSql, type Sellable, sellableSql } from '#shared/catalog/find-sellable.ts'
import { customerGroupSql } from '#shared/customers/groups/group-sql.ts'
import type { PriceOf } from '#shared/tax/price-at-place.ts'
import type { LineToPrice } from './price-cart.ts'

/** A line of a cart with its variant and current price: as the store entered it, or at a place (`repriceLine`). */
export interface CartLine extends LineToPrice {
  id: string
  variantId: string
  quantity: number
  sellable: Sellable
  /** Whether this quantity can be bought now. */
  isAvailable: boolean
  /** 0 for a variant that is no longer sold. */
  unitPriceMinor: bigint
}

/** SQL: joins the items `i` to what the columns of `cartRowSql` are read from. */
export const JOIN_VARIANT = joinVariantSql('i')

/**
 * SQL columns of a `CartRow`, for an item aliased `i` with `JOIN_VARIANT`. `$1` is the current time, `customerId` an
 * expression of the cart's customer, whose group has prices of its own.
 */
export const cartRowSql = (customerId: string): string => `i.cart_id as "cartId", i.id, i.quantity,
  ${sellableSql('$1::timestamptz', 'i.quantity', customerGroupSql(customerId))}`

/** A line as JSON: amounts are numbers, which are exact (see `Money`). */
export interface CartRow extends Omit<Sellable, 'basePriceMinor' | 'salePriceMinor' | 'unitPriceMinor'> {
  cartId: string
  id: string
  quantity: number
  basePriceMinor: number
  salePriceMinor: number | null
  unitPriceMinor: number
}

/** Prices a line with the current price of its variant. */
export function toLine({ cartId: _, id, quantity, ...row }: CartRow): CartLine {
  const sellable: Sellable = {
    ...row,
    basePriceMinor: BigInt(row.basePriceMinor),
    salePriceMinor: row.salePriceMinor === null ? null : BigInt(row.salePriceMinor),
    unitPriceMinor: BigInt(row.unitPriceMinor),
  }
  const unitPriceMinor = sellable.isSellable ? sellable.unitPriceMinor : 0n
  return {
    id,
    variantId: row.variantId,
    quantity,
    sellable,
    isAvailable: row.isSellable && (row.backorder || row.stockAvailable >= quantity),
    unitPriceMinor,
    lineTotalMinor: unitPriceMinor * BigInt(quantity),
    taxClassId: sellable.taxClassId,
  }
}

/** A line at the prices of a place instead of the entered ones. */
export function repriceLine(line: CartLine, priceOf: PriceOf): CartLine {
  const price = (enteredMinor: bigint) => priceOf(enteredMinor, line.taxClassId)
  const { basePriceMinor, salePriceMinor, unitPriceMinor } = line.sellable
  const sellable = {
    ...line.sellable,
    basePriceMinor: price(basePriceMinor),
    salePriceMinor: salePriceMinor === null ? null : price(salePriceMinor),
    unitPriceMinor: price(unitPriceMinor),
  }
  // 0 for a variant that is no longer sold, unlike the price of the variant.
  const lineUnitMinor = price(line.unitPriceMinor)
  const lineTotalMinor = lineUnitMinor * BigInt(line.quantity)
  return { ...line, sellable, unitPriceMinor: lineUnitMinor, lineTotalMinor }
}
