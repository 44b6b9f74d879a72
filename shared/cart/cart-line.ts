import { joinVariantSql, type Sellable, sellableSql } from '#shared/catalog/variants/find-sellable.ts'
import { customerGroupSql } from '#shared/customers/customer-group.ts'
import { type ChosenPlanRow, chosenPlanSql, toChosenPlan } from '#shared/recurring-plans/chosen-plan.ts'
import type { PriceOf } from '#shared/tax/price-at-place.ts'
import type { LineToPrice } from './price-cart.ts'
import { firstPrice, type RecurringLine, recurringLine } from './recurring-line.ts'

/** A line of a cart with its variant and current price: as the store entered it, or at a place (`repriceLine`). */
export interface CartLine extends LineToPrice {
  id: string
  variantId: string
  quantity: number
  /** Not sellable either when the product is no longer sold by the plan of the line. */
  sellable: Sellable
  /** Whether this quantity, with that of other lines of the variant, can be bought now. */
  isAvailable: boolean
  /** With a plan, the price of the first charge. 0 for a variant or a plan that is no longer sold. */
  unitPriceMinor: bigint
  /** The plan by which it is bought. Null or absent: it is bought once. */
  recurring?: RecurringLine | null
}

/** SQL: joins the items `i` to what the columns of `cartRowSql` are read from. */
export const JOIN_VARIANT = joinVariantSql('i')

/**
 * SQL columns of a `CartRow`, for an item aliased `i` with `JOIN_VARIANT`. `$1` is the current time, `customerId` an
 * expression of the cart's customer, whose group has prices of its own.
 */
export const cartRowSql = (customerId: string): string => `i.cart_id as "cartId", i.id, i.quantity,
  ${chosenPlanSql('i', 'p')} as plan,
  ${sellableSql('$1::timestamptz', 'i.quantity', customerGroupSql(customerId))}`

/** A line as JSON: amounts are numbers, which are exact (see `Money`). */
export interface CartRow extends Omit<Sellable, 'basePriceMinor' | 'salePriceMinor' | 'unitPriceMinor'> {
  cartId: string
  id: string
  quantity: number
  basePriceMinor: number
  salePriceMinor: number | null
  unitPriceMinor: number
  plan: ChosenPlanRow | null
}

/** Prices the lines of a cart: by their plans, else with the current prices of their variants. */
export function toLines(rows: readonly CartRow[]): CartLine[] {
  const lines = rows.map(toLine)
  const units = new Map<string, number>()
  for (const { variantId, quantity, sellable } of lines)
    if (sellable.isSellable) units.set(variantId, (units.get(variantId) ?? 0) + quantity)
  return lines.map((line) => ({ ...line, isAvailable: isAvailable(line, units.get(line.variantId) ?? 0) }))
}

const isAvailable = ({ sellable }: Pick<CartLine, 'sellable'>, units: number): boolean =>
  sellable.isSellable && (sellable.backorder || sellable.stockAvailable >= units)

function toLine({ cartId: _, id, quantity, plan, ...row }: CartRow): Omit<CartLine, 'isAvailable'> {
  const sellable: Sellable = {
    ...row,
    isSellable: row.isSellable && plan?.isSold !== false,
    basePriceMinor: BigInt(row.basePriceMinor),
    salePriceMinor: row.salePriceMinor === null ? null : BigInt(row.salePriceMinor),
    unitPriceMinor: BigInt(row.unitPriceMinor),
  }
  const recurring = plan && recurringLine(toChosenPlan(plan), sellable.unitPriceMinor)
  const currentMinor = recurring ? firstPrice(recurring) : sellable.unitPriceMinor
  const unitPriceMinor = sellable.isSellable ? currentMinor : 0n
  return {
    id,
    variantId: row.variantId,
    quantity,
    sellable,
    unitPriceMinor,
    recurring,
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
  // That of the plan; 0 for what is no longer sold: unlike the price of the variant.
  const lineUnitMinor = price(line.unitPriceMinor)
  const lineTotalMinor = lineUnitMinor * BigInt(line.quantity)
  const recurring = line.recurring ? repriceRecurring(line.recurring, price) : null
  return { ...line, sellable, recurring, unitPriceMinor: lineUnitMinor, lineTotalMinor }
}

const repriceRecurring = (
  { trialPriceMinor, regularPriceMinor, ...plan }: RecurringLine,
  price: (enteredMinor: bigint) => bigint,
): RecurringLine => ({
  ...plan,
  trialPriceMinor: trialPriceMinor === null ? null : price(trialPriceMinor),
  regularPriceMinor: price(regularPriceMinor),
})
