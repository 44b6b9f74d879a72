import { lockOrder } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Refund } from './refund.ts'
import { type RefundOutcome, settleRefund } from './settle-refund.ts'
import { withdrawVouchers } from './withdraw-vouchers.ts'

/** A refund as the gateway has it. Amounts in minor units. */
export interface GatewayRefund extends RefundOutcome {
  provider: string
  reference: string
  paymentReference: string
  amountMinor: bigint
  currency: string
  /** The id of our refund in its metadata; null for a refund that was made elsewhere. */
  refundId: string | null
}

/**
 * Takes over a refund from the gateway. One of ours is settled. One that was made at the gateway itself, e.g. in its
 * dashboard, is booked on the order of its payment, or on the surplus that the payment is. A repeat changes nothing; a
 * refund of an unknown payment is ignored.
 */
export async function bookGatewayRefund(tx: StoreTx, fact: GatewayRefund): Promise<void> {
  const known = (await findOwn(tx, fact)) ?? (await findBooked(tx, fact))
  if (known) return settleRefund(tx, known.id, fact)
  const { provider, paymentReference } = fact
  const payment = await Payment.in(tx).findOne({ provider, gateway_reference: paymentReference })
  if (!payment) return
  await lockOrder(tx, payment.orderId)
  // A second notification may have booked it before the lock.
  const booked = (await findBooked(tx, fact)) ?? (await insertRefund(tx, payment, fact))
  await settleRefund(tx, booked.id, fact)
}

/** Ours, unless the gateway made a second refund for it: that one is booked as a refund of its own. */
async function findOwn(tx: StoreTx, { refundId, reference }: GatewayRefund): Promise<Refund | undefined> {
  if (!refundId || !isUuid(refundId)) return undefined
  const refund = await Refund.in(tx).findById(refundId)
  return refund?.gatewayReference && refund.gatewayReference !== reference ? undefined : refund
}

const findBooked = (tx: StoreTx, { reference }: GatewayRefund) =>
  Refund.in(tx).findOne('gateway_reference', reference)

async function insertRefund(tx: StoreTx, payment: Payment, fact: GatewayRefund): Promise<Refund> {
  const surplus = await Surplus.in(tx).findOne({ payment_id: payment.id, status: 'owed' })
  const order = await lockOrder(tx, payment.orderId)
  const refund = await Refund.in(tx).insert({
    orderId: payment.orderId,
    paymentId: payment.id,
    origin: 'gateway',
    surplusId: surplus?.id ?? null,
    status: 'pending',
    amountMinor: fact.amountMinor,
    gatewayAmountMinor: fact.amountMinor,
    currency: fact.currency,
    reason: 'Made at the payment gateway',
    requestedBy: 'gateway',
    gatewayReference: fact.reference,
    createdAt: now(),
  })
  if (!surplus) await withdrawVouchers(tx, order, refund, [])
  return refund
}
