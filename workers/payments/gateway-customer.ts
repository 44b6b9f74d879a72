import { findGatewayCustomer, recordGatewayCustomer } from '#shared/payments/saved-cards/gateway-customer.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe.ts'

const provider = 'stripe'

/** The gateway's id of a customer. The first call creates it there; the customer's id is the idempotency key. */
export async function findOrCreateGatewayCustomer(storeId: string, customerId: string): Promise<string> {
  const known = await inStore(storeId, (tx) => findGatewayCustomer(tx, customerId, provider))
  if (known) return known
  const { reference } = await stripeGateway().createCustomer({
    idempotencyKey: `${customerId}:customer`,
    metadata: { store_id: storeId, customer_id: customerId },
  })
  return inStore(storeId, (tx) => recordGatewayCustomer(tx, { customerId, provider, reference }))
}
