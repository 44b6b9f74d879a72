import { recordGatewayCustomer } from '#shared/payments/saved-cards/gateway-customer.ts'
import { recordSavedCard, type SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import { replaceCard } from '#shared/subscriptions/card/replace-card.ts'
import { settleCharges } from '#shared/subscriptions/charges/settle-charges.ts'
import { createCustomer } from '#test/sandbox/gateway/customers.ts'
import type { Gateway } from '#test/sandbox/gateway/gateway.ts'
import { attachMethod, saveMethod } from '#test/sandbox/gateway/payment-methods.ts'
import { type BuiltSubscription, buildSubscription } from '#test/support/builders/subscriptions.ts'

/** A customer's saved card at the sandbox gateway. `testCard`: a test card of the gateway that can be attached. */
export async function buildSavedCard(
  gateway: Gateway,
  store: { id: string },
  customerId: string,
  testCard = 'pm_card_visa',
): Promise<SavedCard> {
  const { customer, method } = gateway.change((context) => {
    const { id } = createCustomer(context, {})
    const attached = attachMethod(context, testCard, { customer: id })
    saveMethod(context, attached.id, id)
    return { customer: id, method: attached }
  })
  const { card: details } = method
  const card = {
    reference: method.id,
    brand: details.brand,
    last4: details.last4,
    expMonth: details.exp_month,
    expYear: details.exp_year,
  }
  await inStore(store.id, async (tx) => {
    await recordGatewayCustomer(tx, { customerId, provider: 'stripe', reference: customer })
    await recordSavedCard(tx, { customerId, provider: 'stripe' }, card)
  })
  return card
}

/** An active subscription that charges a saved card. Staff have marked its first order as paid. */
export async function buildCardSubscription(
  gateway: Gateway,
  store: { id: string },
  { testCard, ...given }: Parameters<typeof buildSubscription>[1] & { testCard?: string } = {},
): Promise<BuiltSubscription & { card: SavedCard }> {
  const built = await buildSubscription(store, { ...given, paymentMethod: 'card' })
  const card = await buildSavedCard(gateway, store, built.customer.id, testCard)
  await inStore(store.id, (tx) => markOrderPaid(tx, built.orderId, 'system'))
  await inStore(store.id, (tx) => settleCharges(tx, built.orderId))
  await inStore(store.id, (tx) => replaceCard(tx, { subscriptionId: built.id, card, givenAt: now() }))
  return { ...built, card }
}
