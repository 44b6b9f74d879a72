import { CARD_PROVIDER } from '#shared/payments/provider.ts'
import { findGatewayCustomer, recordGatewayCustomer } from '#shared/payments/saved-cards/gateway-customer.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'

/**
 * Returns the gateway's id of a customer. The first call creates the customer there. Our customer's id is the
 * idempotency key.
 */
export async function findOrCreateGatewayCustomer(storeId: string, customerId: string): Promise<string> {
  const known = await inStore(storeId, (tx) => findGatewayCustomer(tx, customerId, CARD_PROVIDER))
  if (known) return known
  const { reference } = await stripeGateway().createCustomer({
    idempotencyKey: `${customerId}:customer`,
    metadata: { store_id: storeId, customer_id: customerId },
  })
  return inStore(storeId, (tx) =>
    recordGatewayCustomer(tx, { customerId, provider: CARD_PROVIDER, reference }),
  )
}
