import { findOrder } from '#shared/orders/order.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { findGatewayCustomer } from '#shared/payments/saved-cards/gateway-customer.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import type { OpenedIntent } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { metadataOf } from './payment-metadata.ts'

/** Returns the payment at the gateway of a charge that was sent and whose result was lost; null when there is none. */
export async function findSentPayment(payment: Payment): Promise<OpenedIntent | null> {
  const customer = await inStore(payment.storeId, (tx) => findCardCustomer(tx, payment))
  if (!customer) return null
  const metadata = metadataOf(payment)
  return stripeGateway().findPayment({ customer, since: payment.createdAt, metadata })
}

async function findCardCustomer(tx: StoreTx, { orderId, provider }: Payment): Promise<string | undefined> {
  const { customerId } = await findOrder(tx, orderId)
  return customerId ? findGatewayCustomer(tx, customerId, provider) : undefined
}
