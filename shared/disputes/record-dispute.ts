import { lockOrder, type Order } from '#shared/orders/order.ts'
import { addOrderNote } from '#shared/orders/order-history.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookLostDispute } from '#shared/refunds/book-lost-dispute.ts'
import { Dispute } from './dispute.ts'
import { emitDisputeEvent, orderDisputeClosed, orderDisputed } from './events.ts'
import { DISPUTE_TRANSITIONS, type DisputeStatus, isOpen } from './states.ts'

/** A dispute as the gateway has it. Amounts in minor units. */
export interface GatewayDispute {
  provider: string
  reference: string
  paymentReference: string
  status: DisputeStatus
  reason: string
  amountMinor: bigint
  currency: string
  respondBy: Date | null
  openedAt: Date
}

/**
 * Records a dispute as the gateway has it. While it is open it holds the shipment; when it is lost, its amount is booked as
 * refunded. Repeats and late events change nothing; a dispute of an unknown payment is ignored.
 */
export async function recordDispute(tx: StoreTx, theirs: GatewayDispute): Promise<void> {
  const { provider, paymentReference } = theirs
  const payment = await Payment.in(tx).findOne({ provider, gateway_reference: paymentReference })
  if (!payment) return
  const order = await lockOrder(tx, payment.orderId)
  const known = await Dispute.in(tx).findOne('gateway_reference', theirs.reference)
  if (known && !canTransition(DISPUTE_TRANSITIONS, known.status, theirs.status)) return

  const dispute = known ? await changeDispute(tx, known, theirs) : await insertDispute(tx, payment, theirs)
  if (!known) await announceOpening(tx, order, dispute)
  if (!dispute.isOpen) await announceEnd(tx, order, dispute)
  if (dispute.status === 'lost') await bookLostDispute(tx, payment, { ...theirs, disputeId: dispute.id })
}

const columnsOf = ({ status, respondBy }: GatewayDispute) => {
  const at = now()
  return { status, respondBy, closedAt: isOpen(status) ? null : at, updatedAt: at }
}

async function insertDispute(tx: StoreTx, payment: Payment, theirs: GatewayDispute): Promise<Dispute> {
  const { reason, amountMinor, currency, openedAt, reference } = theirs
  const { id, orderId } = payment
  return Dispute.in(tx).insert({
    ...{ orderId, paymentId: id, gatewayReference: reference, reason, amountMinor, currency, openedAt },
    ...columnsOf(theirs),
    createdAt: now(),
  })
}

async function changeDispute(tx: StoreTx, { id }: Dispute, theirs: GatewayDispute): Promise<Dispute> {
  await Dispute.in(tx).findById(id).patch(columnsOf(theirs))
  return Dispute.in(tx).findById(id).throwIfNotFound()
}

async function announceOpening(tx: StoreTx, order: Order, dispute: Dispute): Promise<void> {
  const { amountMinor, currency, reason } = dispute
  const note = `The buyer disputes ${formatMinor(amountMinor, currency)} at the bank (${reason})`
  await addOrderNote(tx, order, note, 'gateway')
  await emitDisputeEvent(tx, orderDisputed, dispute)
}

async function announceEnd(tx: StoreTx, order: Order, dispute: Dispute): Promise<void> {
  await addOrderNote(tx, order, `The dispute is ${dispute.status}`, 'gateway')
  await emitDisputeEvent(tx, orderDisputeClosed, dispute)
}
