import { type LockedOrder, lockOrder } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { roundTogether } from '../calculate/round-together.ts'
import { Refund } from '../refund.ts'
import { type RefundOutcome, settleRefund } from '../settle/settle-refund.ts'
import { insertPaymentRefund } from './insert-payment-refund.ts'

/** A refund as the gateway has it. Amounts in minor units. */
export interface GatewayRefund extends RefundOutcome {
  provider: string
  reference: string
  paymentReference: string
  /** Rounded up to a whole minor unit. */
  amountMinor: bigint
  /** What that exceeds the exact amount, in millionths of a minor unit. Default: 0. */
  roundedUpPpm?: number
  currency: string
  /** The id of our refund in its metadata; null for a refund that was made elsewhere. */
  refundId: string | null
}

/**
 * Books a refund as the gateway has it. One of ours is settled. One that was made at the gateway itself, e.g. in its
 * dashboard, is booked on the order of its payment, or on the surplus that the payment is. A repeat changes nothing; a
 * refund of an unknown payment is ignored.
 */
export async function bookGatewayRefund(tx: StoreTx, refund: GatewayRefund): Promise<void> {
  const known = (await findOwn(tx, refund)) ?? (await findBooked(tx, refund))
  if (known) return settleRefund(tx, known.id, refund)
  const { provider, paymentReference } = refund
  const payment = await Payment.in(tx).findOne({ provider, gateway_reference: paymentReference })
  if (!payment) return
  const order = await lockOrder(tx, payment.orderId)
  // A second notification may have booked it before the lock.
  const booked = (await findBooked(tx, refund)) ?? (await insertRefund(tx, order, payment, refund))
  await settleRefund(tx, booked.id, refund)
}

/**
 * Ours, unless the gateway made a second refund for it, or one of another payment that names it: that one is booked as
 * a refund of its own.
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

async function insertRefund(
  tx: StoreTx,
  order: LockedOrder,
  payment: Payment,
  { reference, amountMinor, roundedUpPpm = 0, currency }: GatewayRefund,
): Promise<Refund> {
  const earlier = await Refund.in(tx)
    .where('payment_id', payment.id)
    .whereNotIn('status', ['failed', 'canceled'])
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
