import type { CartLine } from '#shared/cart/cart-line.ts'
import { supportsRecurring } from '#shared/payment-methods/payment-method.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { Texts } from '#shared/platform/text.ts'
import { keptTerms, type SubscriptionTerms } from '#shared/recurring-plans/terms.ts'
import { CheckoutErrors } from './errors.ts'

/** A line of an order that was bought by a recurring plan: the order is its first charge. */
export interface RecurringPurchase {
  planId: string
  productId: string
  variantId: string
  /** Of the product. */
  nameI18n: Texts
  sku: string
  quantity: number
  /**
   * Of a unit in a regular period, as the store enters prices: that of the plan, else that of the variant at checkout.
   */
  unitPriceMinor: bigint
  /** The other terms of the plan at checkout. */
  terms: SubscriptionTerms
}

type Lines = readonly CartLine[]

const isRecurring = ({ recurring }: CartLine): boolean => Boolean(recurring)

/** Throws `checkout.login_required` when a guest buys by a recurring plan. */
export function assertMaySubscribe(lines: Lines, customerId: string | null): void {
  if (!customerId && lines.some(isRecurring)) throw CheckoutErrors.loginRequired({ isRecurring: true })
}

/**
 * Throws `checkout.payment_method_not_recurring` when something is bought by a recurring plan and the payment method
 * cannot be charged again.
 */
export function assertTakesRecurring(lines: Lines, method: string): void {
  if (!supportsRecurring(method) && lines.some(isRecurring))
    throw CheckoutErrors.paymentMethodNotRecurring({ method })
}

/** The lines of a cart that are bought by recurring plans, at the prices that the store entered. */
export const findRecurringPurchases = (lines: Lines): RecurringPurchase[] =>
  lines.flatMap(({ recurring, sellable: { productId, nameI18n, sku }, variantId, quantity }) => {
    if (!recurring) return []
    const { planId, regularPriceMinor: unitPriceMinor } = recurring
    const terms = keptTerms(recurring.terms)
    return { planId, productId, variantId, nameI18n, sku, quantity, unitPriceMinor, terms }
  })

/** The place of an order in the subscriptions that it starts. */
export const firstChargeOf = (purchases: readonly RecurringPurchase[]) =>
  purchases.length === 0 ? {} : { subscriptionId: newId(), chargeNo: 1 }
