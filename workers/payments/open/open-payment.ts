import { findOrder } from '#shared/orders/order.ts'
import { failPayment } from '#shared/payments/close/fail-payment.ts'
import { openPayment as job } from '#shared/payments/jobs.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import { findPayment, type Payment } from '#shared/payments/payment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { GatewayRefusal, type OpenedIntent } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { closeEarlierPayments } from '#workers/payments/close/close-earlier-payments.ts'
import { metadataOf } from '#workers/payments/payment-metadata.ts'
import { findOrCreateGatewayCustomer } from '#workers/payments/saved-cards/find-or-create-gateway-customer.ts'
import { handle } from '#workers/platform/handle.ts'

/**
 * Opens a payment at the gateway, between two transactions. The payment's id is the idempotency key, so a repeat is
 * harmless. It closes earlier payments of the order first. If one of them was captured before, it pays the order,
 * and this payment is not opened.
 */
export const openPayment = handle(job, async ({ storeId, paymentId }) => {
  await closeEarlierPayments(storeId, paymentId)
  const payment = await inStore(storeId, (tx) => findUnopened(tx, paymentId))
  if (payment) await openAndRecord(payment)
})

/** Returns a payment that is still to be opened at the gateway. */
async function findUnopened(tx: StoreTx, paymentId: string): Promise<Payment | undefined> {
  const payment = await findPayment(tx, paymentId)
  return payment?.status === 'pending' && !payment.gatewayReference ? payment : undefined
}

async function openAndRecord(payment: Payment): Promise<void> {
  const { storeId, id } = payment
  try {
    const opened = await openAtGateway(payment)
    await inStore(storeId, (tx) => recordOpenedPayment(tx, id, opened))
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    const { reason } = error
    await inStore(storeId, (tx) => failPayment(tx, id, { status: 'failed', reason }))
  }
}

async function openAtGateway(payment: Payment): Promise<OpenedIntent> {
  const { id, amountMinor, currency, cardUse } = payment
  const customer = cardUse === 'save' ? await gatewayCustomerOf(payment) : undefined
  const metadata = metadataOf(payment)
  return stripeGateway().openPayment({ idempotencyKey: id, amountMinor, currency, customer, metadata })
}

/** Returns the owner of the card that a payment saves. */
async function gatewayCustomerOf({ storeId, orderId }: Payment): Promise<string> {
  const { customerId } = await inStore(storeId, (tx) => findOrder(tx, orderId))
  if (!customerId) throw new Error(`The order ${orderId} of a guest saves no card`)
  return findOrCreateGatewayCustomer(storeId, customerId)
}
