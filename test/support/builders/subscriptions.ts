import { findSellable } from '#shared/catalog/variants/find-sellable.ts'
import { findOrder, Order } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { NewRecurringPlan } from '#shared/recurring-plans/create-recurring-plan.ts'
import { findRecurringPlan, termsOf } from '#shared/recurring-plans/recurring-plan.ts'
import { keptTerms } from '#shared/recurring-plans/terms.ts'
import { startSubscriptions } from '#shared/subscriptions/lifecycle/start-subscriptions.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildPlan } from '#test/support/builders/plans.ts'

interface Given {
  plan: Partial<NewRecurringPlan>
  /** Of a plan that exists, instead of a new one. */
  planId: string
  /** A variant that exists, instead of one of a new product. */
  of: { productId: string; variantId: string }
  customer: { id: string }
  quantity: number
  stockOnHand: number
  paymentMethod: 'sandbox' | 'card'
}

export interface BuiltSubscription {
  id: string
  orderId: string
  customer: { id: string }
  productId: string
  variantId: string
  planId: string
}

/**
 * A subscription with its first order. Default: one unit every month at 8.00, shipped for 5.00 and paid with play
 * money, without an end and without a trial.
 */
export async function buildSubscription(
  store: { id: string },
  given: Partial<Given> = {},
): Promise<BuiltSubscription> {
  const { paymentMethod = 'sandbox', quantity = 1, stockOnHand = 1_000 } = given
  const customer = given.customer ?? (await buildCustomer(store))
  const { productId, variantId } = given.of ?? (await buildVariant(store, stockOnHand))
  const planId = given.planId ?? (await buildPlan(store, { productIds: [productId], ...given.plan })).id
  const items = [{ variantId, quantity }]
  const { id: orderId } = await buildOrder(store, { customerId: customer.id, paymentMethod, items })
  const id = await inStore(store.id, async (tx) => {
    const terms = termsOf((await findRecurringPlan(tx, planId)).plan)
    const sellable = (await findSellable(tx, [variantId])).get(variantId)
    if (!sellable) throw new Error('The variant of a subscription exists')
    await startSubscriptions(tx, await findOrder(tx, orderId), [
      {
        planId,
        productId,
        variantId,
        nameI18n: sellable.nameI18n,
        sku: sellable.sku,
        quantity,
        unitPriceMinor: terms.priceMinor ?? sellable.unitPriceMinor,
        isPlanPrice: terms.priceMinor !== null,
        terms: keptTerms(terms),
      },
    ])
    const [started] = await Subscription.in(tx).where('variant_id', variantId).orderBy('id', 'desc')
    await Order.in(tx)
      .findById(orderId)
      .patch({ subscriptionId: started?.id ?? null, chargeNo: 1 })
    await Payment.in(tx).where({ order_id: orderId, provider: 'stripe' }).patch({ cardUse: 'save' })
    return started?.id ?? ''
  })
  return { id, orderId, customer, productId, variantId, planId }
}

async function buildVariant(store: { id: string }, stockOnHand: number) {
  const product = await buildProduct(store, { variants: [{ stockOnHand }] })
  return { productId: product.id, variantId: product.variants[0]?.id ?? '' }
}
