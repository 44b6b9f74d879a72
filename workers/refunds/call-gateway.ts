import { inMs } from '#shared/platform/time/clock.ts'
import type { GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import type { SendingRefund } from '#shared/refunds/gateway/prepare-sending.ts'
import type { RefundOutcome } from '#shared/refunds/settle/settle-refund.ts'
import { GatewayRefusal, type PaymentGateway } from '#workers/gateways/payments.ts'

/**
 * The outcome of a call. If the gateway refused the refund, `refundsOfPayment` has all refunds of its payment. Some may
 * be unknown here.
 */
export type GatewayOutcome = RefundOutcome & { refundsOfPayment?: GatewayRefund[] }

/**
 * Calls the gateway to create a refund or to read it, and returns its outcome. A repeat returns the refund of the first
 * call: by its reference, by the idempotency key, or, after the key has expired, from the list of the payment's
 * refunds. A refusal is an outcome; other errors are thrown, and the job repeats.
 */
export async function callGateway(gateway: PaymentGateway, sending: SendingRefund): Promise<GatewayOutcome> {
  const { refund, paymentReference, firstSentAt } = sending
  if (refund.gatewayReference) return gateway.readRefund(refund.gatewayReference)
  if (firstSentAt && firstSentAt < inMs(-gateway.keyLifetimeMs)) {
    const created = findCreated(await gateway.listRefunds(paymentReference), sending)
    if (created) return created
  }
  return createGatewayRefund(gateway, sending)
}

async function createGatewayRefund(gateway: PaymentGateway, sending: SendingRefund): Promise<GatewayOutcome> {
  const { refund, paymentReference } = sending
  try {
    return await gateway.refund({
      idempotencyKey: refund.id,
      paymentReference,
      amountMinor: refund.gatewayAmountMinor,
      currency: refund.currency,
      metadata: { refund_id: refund.id, order_id: refund.orderId, store_id: refund.storeId },
    })
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    // An earlier attempt of this refund, or a refund at the gateway itself, may have caused "already refunded".
    const refundsOfPayment = await gateway.listRefunds(paymentReference)
    const created = findCreated(refundsOfPayment, sending)
    return created ?? { status: 'failed', reference: null, failureReason: error.reason, refundsOfPayment }
  }
}

const findCreated = (refunds: GatewayRefund[], { refund }: SendingRefund): GatewayRefund | undefined =>
  refunds.find(({ refundId }) => refundId === refund.id)
