import { failPayment } from '#shared/payments/fail-payment.ts'
import { openPayment as job } from '#shared/payments/jobs.ts'
import { Payment } from '#shared/payments/payment.ts'
import { recordOpenedPayment } from '#shared/payments/record-opened-payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { GatewayRefusal } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe.ts'
import { handle } from '#workers/platform/handle.ts'

/** Opens a payment at the gateway, between two transactions. Its id is the idempotency key, so a repeat is harmless. */
export const openPayment = handle(job, async ({ storeId, paymentId }) => {
  const payment = await inStore(storeId, (tx) => Payment.in(tx).findById(paymentId))
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

const openAtGateway = ({ id, storeId, orderId, amountMinor, currency }: Payment) =>
  stripeGateway().open({
    idempotencyKey: id,
    amountMinor,
    currency,
    metadata: { store_id: storeId, order_id: orderId, payment_id: id },
  })
