import { failPayment } from '#shared/payments/fail-payment.ts'
import { openPayment as job } from '#shared/payments/jobs.ts'
import { findPaymentsOpenAtGateway, Payment } from '#shared/payments/payment.ts'
import { recordOpenedPayment } from '#shared/payments/record-opened-payment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { GatewayRefusal } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe.ts'
import { handle } from '#workers/platform/handle.ts'
import { closeAtGateway } from './settle-with-gateway.ts'

/**
 * Opens a payment at the gateway, between two transactions. Its id is the idempotency key, so a repeat is harmless. Earlier
 * payments of the order are closed first: one that was captured in between pays the order, and this one is not opened.
 */
export const openPayment = handle(job, async ({ storeId, paymentId }) => {
  const asked = await inStore(storeId, (tx) => findWithEarlier(tx, paymentId))
  for (const earlier of asked?.earlier ?? []) await closeAtGateway(earlier)
  const payment = asked && (await inStore(storeId, (tx) => Payment.in(tx).findById(paymentId)))
  if (payment?.status !== 'pending' || payment.gatewayReference) return
  try {
    const opened = await openAtGateway(payment)
    await inStore(storeId, (tx) => recordOpenedPayment(tx, paymentId, opened))
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    const { reason } = error
    await inStore(storeId, (tx) => failPayment(tx, paymentId, { status: 'failed', reason }))
  }
})

/** A payment that waits to be opened, and the others of its order that the gateway may still capture. */
async function findWithEarlier(tx: StoreTx, paymentId: string): Promise<{ earlier: Payment[] } | undefined> {
  const payment = await Payment.in(tx).findById(paymentId)
  if (payment?.status !== 'pending' || payment.gatewayReference) return undefined
  return { earlier: await findPaymentsOpenAtGateway(tx, payment.orderId) }
}

const openAtGateway = ({ id, storeId, orderId, amountMinor, currency }: Payment) =>
  stripeGateway().open({
    idempotencyKey: id,
    amountMinor,
    currency,
    metadata: { store_id: storeId, order_id: orderId, payment_id: id },
  })
