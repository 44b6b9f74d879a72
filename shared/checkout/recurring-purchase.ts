import type { CartLine } from '#shared/cart/cart-line.ts'
import type { PlacedOrder } from '#shared/orders/place-order.ts'
import type { RecurringTerms } from '#shared/recurring-plans/terms.ts'
import { takesRecurring } from '#shared/settings/payment-method.ts'
import { CheckoutErrors } from './errors.ts'

/** A line of an order that was bought by a recurring plan: the order is its first charge. */
export interface RecurringPurchase {
  orderItemId: string
  planId: string
  /** The terms of the plan at the time of the order. */
  terms: RecurringTerms
  productId: string
  variantId: string
  quantity: number
}

type Lines = readonly CartLine[]

const isRecurring = ({ recurring }: CartLine): boolean => recurring !== null

/** Throws `checkout.login_required` when a guest buys by a recurring plan. */
export function assertMaySubscribe(lines: Lines, customerId: string | null): void {
  if (!customerId && lines.some(isRecurring)) throw CheckoutErrors.loginRequired({ isRecurring: true })
}

/**
 * Throws `checkout.payment_method_not_recurring` when something is bought by a recurring plan and the payment method cannot
 * be charged again.
 */
export function assertTakesRecurring(lines: Lines, method: string): void {
  if (!takesRecurring(method) && lines.some(isRecurring))
    throw CheckoutErrors.paymentMethodNotRecurring({ method })
}

/** The lines of a placed order that were bought by recurring plans. Its goods are its first items, in the order of `lines`. */
export const findRecurringPurchases = ({ view }: PlacedOrder, lines: Lines): RecurringPurchase[] =>
  lines.flatMap(({ recurring, sellable: { productId }, variantId, quantity }, index) => {
    if (!recurring) return []
    const { planId, terms } = recurring
    return { orderItemId: view.items[index]?.id ?? '', planId, terms, productId, variantId, quantity }
  })
