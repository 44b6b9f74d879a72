import { type LockedOrder, lockOrder } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { roundTogether } from '#shared/refunds/calculate/round-together.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { type RefundOutcome, settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { FAILED_REFUND_STATUSES } from '#shared/refunds/states.ts'
import { insertPaymentRefund } from './insert-payment-refund.ts'

/** A refund as the gateway reports it. Amounts are in minor units. */
export interface GatewayRefund extends RefundOutcome {
  provider: string
  reference: string
  paymentReference: string
  /** Rounded up to a whole minor unit. */
  amountMinor: bigint
  /** How far `amountMinor` is rounded up, in millionths of a minor unit. Default: 0. */
  roundedUpPpm?: number
  currency: string
  /** The id of our refund, from the metadata; null for a refund that was made elsewhere. */
  refundId: string | null
}

/**
 * Books a refund that the gateway reports. It settles one of our refunds. A refund made at the gateway itself, e.g. in
 * its dashboard, is booked on the payment's surplus or order. A repeat changes nothing. A refund of an unknown payment
 * is ignored.
 */
export async function bookGatewayRefund(tx: StoreTx, refund: GatewayRefund): Promise<void> {
  const known = (await findOwn(tx, refund)) ?? (await findBooked(tx, refund))
  if (known) return settleRefund(tx, known.id, refund)
  const { provider, paymentReference } = refund
  const payment = await Payment.in(tx).findOne({ provider, gateway_reference: paymentReference })
  if (!payment) return
  const order = await lockOrder(tx, payment.orderId)
  // Another notification may have booked the refund before this one got the lock.
  const booked = (await findBooked(tx, refund)) ?? (await insertReportedRefund(tx, order, payment, refund))
  await settleRefund(tx, booked.id, refund)
}

/**
 * Finds our refund. A second refund at the gateway for the same id, or a refund of another payment, is not ours: it is
 * booked as a new one.
 */
async function findOwn(
  tx: StoreTx,
  { refundId, reference, provider, paymentReference }: GatewayRefund,
): Promise<Refund | undefined> {
  if (!refundId || !isUuid(refundId)) return undefined
  const refund = await Refund.in(tx).findById(refundId)
  if (!refund?.paymentId || ![null, reference].includes(refund.gatewayReference)) return undefined
  const payment = await Payment.in(tx).findById(refund.paymentId)
  const isOfPayment = payment?.provider === provider && payment.gatewayReference === paymentReference
  return isOfPayment ? refund : undefined
}

const findBooked = (tx: StoreTx, { reference }: GatewayRefund) =>
  Refund.in(tx).findOne('gateway_reference', reference)

async function insertReportedRefund(
  tx: StoreTx,
  order: LockedOrder,
  payment: Payment,
  { reference, amountMinor, roundedUpPpm = 0, currency }: GatewayRefund,
): Promise<Refund> {
  const earlier = await Refund.in(tx)
    .where('payment_id', payment.id)
    .whereNotIn('status', FAILED_REFUND_STATUSES)
    .select('rounded_up_ppm')
  const rounded = roundTogether({ amountMinor, roundedUpPpm }, earlier)
  return insertPaymentRefund(tx, order, payment, {
    ...rounded,
    origin: 'gateway',
    gatewayReference: reference,
    currency,
    reason: 'Made at the payment gateway',
  })
}
