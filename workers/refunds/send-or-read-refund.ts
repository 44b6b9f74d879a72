import { inMs } from '#shared/platform/time/clock.ts'
import type { GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import type { RefundToSend } from '#shared/refunds/gateway/prepare-refund-to-send.ts'
import type { RefundOutcome } from '#shared/refunds/settle/settle-refund.ts'
import { GatewayRefusal, type PaymentGateway } from '#workers/gateways/payments.ts'

/**
 * The outcome of a call. If the gateway refused the refund, `refundsOfPayment` has all refunds of its payment. Some may
 * be unknown here.
 */
export type GatewayOutcome = RefundOutcome & { refundsOfPayment?: GatewayRefund[] }

/**
 * Sends a refund to the gateway, or reads one that was sent, and returns its outcome. A repeat returns the refund of
 * the first call: by its reference, by the idempotency key, or, after the key has expired, from the list of the
 * payment's refunds. A refusal is an outcome; other errors are thrown, and the job repeats.
 */
export async function sendOrReadRefund(
  gateway: PaymentGateway,
  toSend: RefundToSend,
): Promise<GatewayOutcome> {
  const { refund, paymentReference } = toSend
  if (refund.gatewayReference) return gateway.readRefund(refund.gatewayReference)
  if (refund.firstSentAt && refund.firstSentAt < inMs(-gateway.keyLifetimeMs)) {
    const created = findCreated(await gateway.listRefunds(paymentReference), toSend)
    if (created) return created
  }
  return createGatewayRefund(gateway, toSend)
}

async function createGatewayRefund(gateway: PaymentGateway, toSend: RefundToSend): Promise<GatewayOutcome> {
  const { refund, paymentReference } = toSend
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
    const created = findCreated(refundsOfPayment, toSend)
    return created ?? { status: 'failed', reference: null, failureReason: error.reason, refundsOfPayment }
  }
}

const findCreated = (refunds: GatewayRefund[], { refund }: RefundToSend): GatewayRefund | undefined =>
  refunds.find(({ refundId }) => refundId === refund.id)
