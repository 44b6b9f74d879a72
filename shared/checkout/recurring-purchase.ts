import type { CartLine } from '#shared/cart/cart-line.ts'
import { supportsRecurring } from '#shared/payment-methods/payment-method.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { Texts } from '#shared/platform/text.ts'
import { keptTerms, type SubscriptionTerms } from '#shared/recurring-plans/terms.ts'
import { CheckoutErrors } from './errors.ts'

/** An order line bought on a recurring plan. The order is the first charge. */
export interface RecurringPurchase {
  planId: string
  productId: string
  variantId: string
  /** The names of the product. */
  nameI18n: Texts
  sku: string
  quantity: number
  /**
   * The price of a unit in a regular period: of the plan, or else of the variant at checkout. It includes tax if the
   * store's catalog prices do.
   */
  unitPriceMinor: bigint
  isPlanPrice: boolean
  /** The other terms of the plan at checkout. */
  terms: SubscriptionTerms
}

type Lines = readonly CartLine[]

const isRecurring = ({ recurring }: CartLine): boolean => Boolean(recurring)

/** Throws `checkout.login_required` if a guest buys by a recurring plan. */
export function assertMaySubscribe(lines: Lines, customerId: string | null): void {
  if (!customerId && lines.some(isRecurring)) throw CheckoutErrors.loginRequired({ isRecurring: true })
}

/**
 * Throws `checkout.payment_method_not_recurring` for lines with a recurring plan if the payment method cannot be
 * charged again.
 */
export function assertMethodAllowsRecurring(lines: Lines, method: string): void {
  if (!supportsRecurring(method) && lines.some(isRecurring))
    throw CheckoutErrors.paymentMethodNotRecurring({ method })
}

/** Returns the cart's lines on recurring plans, at the prices that the store entered. */
export const recurringPurchasesOf = (lines: Lines): RecurringPurchase[] =>
  lines.flatMap(({ recurring, sellable: { productId, nameI18n, sku }, variantId, quantity }) => {
    if (!recurring) return []
    const { planId, regularPriceMinor: unitPriceMinor } = recurring
    const isPlanPrice = recurring.terms.priceMinor !== null
    const terms = keptTerms(recurring.terms)
    return { planId, productId, variantId, nameI18n, sku, quantity, unitPriceMinor, isPlanPrice, terms }
  })

/** Returns the ids of the plans that begin with a trial. */
export const plansOnTrial = (purchases: readonly RecurringPurchase[]): string[] =>
  purchases.flatMap(({ planId, terms }) => (terms.trial ? planId : []))

/** Returns the columns of an order that is the first charge of its subscriptions. */
export const firstChargeOf = (purchases: readonly RecurringPurchase[]) =>
  purchases.length === 0 ? {} : { subscriptionId: newId(), chargeNo: 1 }
