import { joinVariantSql, type Sellable, sellableSql } from '#shared/catalog/variants/find-sellable.ts'
import { customerGroupSql } from '#shared/customers/customer-group.ts'
import { type ChosenPlanRow, chosenPlanSql, toChosenPlan } from '#shared/recurring-plans/chosen-plan.ts'
import type { PriceOf } from '#shared/tax/price-converter.ts'
import type { LineToPrice } from './price-cart.ts'
import { firstPrice, type RecurringLine, recurringLine } from './recurring-line.ts'

/**
 * A line of a cart with its variant and current price. The price is the one that the store entered, or that of a place
 * after `repriceLine`.
 */
export interface CartLine extends LineToPrice {
  id: string
  variantId: string
  quantity: number
  /** The variant. It is not sellable if the plan of the line no longer sells the product. */
  sellable: Sellable
  /** Whether the units of all lines of the variant together can be bought now. */
  isAvailable: boolean
  /** With a plan, the price of the first charge. 0 if the variant or plan is no longer sold. */
  unitPriceMinor: bigint
  /** The recurring plan of the line; null or undefined for a single purchase. */
  recurring?: RecurringLine | null
}

/** SQL: joins the items `i` to the tables that `cartRowSql` reads. */
export const JOIN_VARIANT = joinVariantSql('i')

/** Returns SQL of the plan of an item `i` with `JOIN_VARIANT`, for the customer of the cart. */
export const planSql = (customerId: string | null): string => chosenPlanSql('i', 'p', customerId)

/**
 * SQL columns of a `CartRow`, for an item aliased `i` with `JOIN_VARIANT`. `$1` is the current time. `customerId` is an
 * SQL expression of the cart's customer, whose group can have its own prices; null for guests. `plan` is an SQL
 * expression.
 */
export const cartRowSql = (
  customerId: string | null,
  plan = planSql(customerId),
): string => `i.cart_id as "cartId", i.id, i.quantity,
  i.recurring_plan_id as "planId", ${plan} as plan,
  ${sellableSql('$1::timestamptz', 'i.quantity', customerGroupSql(customerId))}`

/** A line as JSON. Its amounts are numbers, which are exact (see `Money`). */
export interface CartRow extends Omit<Sellable, 'basePriceMinor' | 'salePriceMinor' | 'unitPriceMinor'> {
  cartId: string
  id: string
  quantity: number
  planId: string | null
  basePriceMinor: number
  salePriceMinor: number | null
  unitPriceMinor: number
  plan: ChosenPlanRow | null
}

/** Prices the lines of a cart by their plans, or else by the current prices of their variants. */
export function toLines(rows: readonly CartRow[]): CartLine[] {
  const lines = rows.map(toLine)
  const units = new Map<string, number>()
  for (const { variantId, quantity, sellable } of lines)
    if (sellable.isSellable) units.set(variantId, (units.get(variantId) ?? 0) + quantity)
  return lines.map((line) => ({ ...line, isAvailable: isAvailable(line, units.get(line.variantId) ?? 0) }))
}

const isAvailable = ({ sellable }: Pick<CartLine, 'sellable'>, units: number): boolean =>
  sellable.isSellable && (sellable.backorder || sellable.stockAvailable >= units)

function toLine({
  cartId: _,
  planId: __,
  id,
  quantity,
  plan,
  ...row
}: CartRow): Omit<CartLine, 'isAvailable'> {
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

/** Returns a line at the prices of a place instead of the entered ones. */
export function repriceLine(line: CartLine, priceOf: PriceOf): CartLine {
  const price = (enteredMinor: bigint) => priceOf(enteredMinor, line.taxClassId)
  const { basePriceMinor, salePriceMinor, unitPriceMinor } = line.sellable
  const sellable = {
    ...line.sellable,
    basePriceMinor: price(basePriceMinor),
    salePriceMinor: salePriceMinor === null ? null : price(salePriceMinor),
    unitPriceMinor: price(unitPriceMinor),
  }
  // The price of the plan, or 0 if it is no longer sold. It can differ from the price of the variant.
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
