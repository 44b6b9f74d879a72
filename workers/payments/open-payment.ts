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
  const earlier = await inStore(storeId, (tx) => findEarlierPayments(tx, paymentId))
  for (const payment of earlier) await closeAtGateway(payment)
  const payment = await inStore(storeId, (tx) => findUnopened(tx, paymentId))
  if (!payment) return
  try {
    const opened = await openAtGateway(payment)
    await inStore(storeId, (tx) => recordOpenedPayment(tx, paymentId, opened))
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    const { reason } = error
    await inStore(storeId, (tx) => failPayment(tx, paymentId, { status: 'failed', reason }))
  }
})

/** A payment that is still to be opened at the gateway. */
async function findUnopened(tx: StoreTx, paymentId: string): Promise<Payment | undefined> {
  const payment = await Payment.in(tx).findById(paymentId)
  return payment?.status === 'pending' && !payment.gatewayReference ? payment : undefined
}

/** The other payments of its order that the gateway may still capture. */
async function findEarlierPayments(tx: StoreTx, paymentId: string): Promise<Payment[]> {
  const payment = await findUnopened(tx, paymentId)
  return payment ? findPaymentsOpenAtGateway(tx, payment.orderId) : []
}

const openAtGateway = ({ id, storeId, orderId, amountMinor, currency }: Payment) =>
  stripeGateway().open({
    idempotencyKey: id,
    amountMinor,
    currency,
    metadata: { store_id: storeId, order_id: orderId, payment_id: id },
  })
