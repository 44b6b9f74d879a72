import { isDeepStrictEqual } from 'node:util'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-history.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookLostDispute, revertLostDispute } from '#shared/refunds/gateway/book-lost-dispute.ts'
import { blockVouchers } from './block-vouchers.ts'
import { Dispute } from './dispute.ts'
import { emitDisputeEvent, orderDisputeClosed, orderDisputed } from './events.ts'
import { DISPUTE_TRANSITIONS, type DisputeStatus, ENDED_WITHOUT_LOSS, isOpen } from './states.ts'

/** A dispute as the gateway reports it. Amounts are in minor units. */
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

/** Returns the time of a dispute's last change here; null for an unknown dispute. */
export async function readDisputeVersion(tx: StoreTx, reference: string): Promise<number | null> {
  const known = await Dispute.in(tx).findOne('gateway_reference', reference)
  return known ? known.updatedAt.getTime() : null
}

/**
 * Records a dispute that was read at the gateway. An open dispute blocks the shipment and the vouchers of the order.
 * The amount of a lost dispute is booked as refunded. A repeat changes nothing, and a dispute of an unknown payment is
 * ignored. `version` is the `readDisputeVersion` from before the read. If the dispute has changed here since, the read
 * may be outdated: then nothing changes, and it returns false.
 */
export async function recordDispute(
  tx: StoreTx,
  theirs: GatewayDispute,
  version: number | null,
): Promise<boolean> {
  const { provider, paymentReference } = theirs
  const payment = await Payment.in(tx).findOne({ provider, gateway_reference: paymentReference })
  if (!payment) return true
  const order = await lockOrder(tx, payment.orderId)
  if ((await readDisputeVersion(tx, theirs.reference)) !== version) return false
  const known = await Dispute.in(tx).findOne('gateway_reference', theirs.reference)
  if (known?.status === theirs.status) {
    await changeDetails(tx, payment, known, theirs)
    return true
  }
  if (known && !canTransition(DISPUTE_TRANSITIONS, known.status, theirs.status)) return true

  const dispute = known ? await changeDispute(tx, known, theirs) : await insertDispute(tx, payment, theirs)
  if (!known || isDisputedAgain(known, dispute)) await announceOpening(tx, order, dispute)
  if (!dispute.isOpen) await announceEnd(tx, order, dispute)
  if (known?.status === 'lost') await revertLostDispute(tx, dispute.id)
  if (dispute.status === 'lost') await bookLostDispute(tx, payment, { ...theirs, disputeId: dispute.id })
  await blockVouchers(tx, order.id)
  return true
}

/** Returns the fields that a bank can change until it decides, e.g. the amount when it escalates an inquiry. */
const detailsOf = ({ reason, amountMinor, currency, respondBy }: GatewayDispute) => ({
  reason,
  amountMinor,
  currency,
  respondBy,
})

const columnsOf = (theirs: GatewayDispute) => {
  const { status } = theirs
  const at = now()
  return { ...detailsOf(theirs), status, closedAt: isOpen(status) ? null : at, updatedAt: at }
}

async function insertDispute(tx: StoreTx, payment: Payment, theirs: GatewayDispute): Promise<Dispute> {
  const { openedAt, reference } = theirs
  const { id, orderId } = payment
  return Dispute.in(tx).insert({
    ...{ orderId, paymentId: id, gatewayReference: reference, openedAt },
    ...columnsOf(theirs),
    createdAt: now(),
  })
}

async function changeDispute(tx: StoreTx, { id }: Dispute, theirs: GatewayDispute): Promise<Dispute> {
  await Dispute.in(tx).findById(id).patch(columnsOf(theirs))
  return Dispute.in(tx).findById(id).throwIfNotFound()
}

/** Records the changed details of a dispute, and books a lost one again with them. A repeat changes nothing. */
async function changeDetails(
  tx: StoreTx,
  payment: Payment,
  known: Dispute,
  theirs: GatewayDispute,
): Promise<void> {
  const details = detailsOf(theirs)
  const { id, reason, amountMinor, currency, respondBy } = known
  if (isDeepStrictEqual(details, { reason, amountMinor, currency, respondBy })) return
  await Dispute.in(tx)
    .findById(id)
    .patch({ ...details, updatedAt: now() })
  if (known.status !== 'lost' || amountMinor === theirs.amountMinor) return
  await revertLostDispute(tx, id)
  await bookLostDispute(tx, payment, { ...theirs, disputeId: id })
  await blockVouchers(tx, payment.orderId)
}

/** Whether a closed dispute was opened again, or lost after it had ended without a loss. */
const isDisputedAgain = (known: Dispute, dispute: Dispute): boolean =>
  !known.isOpen &&
  (dispute.isOpen || (ENDED_WITHOUT_LOSS.has(known.status) && !ENDED_WITHOUT_LOSS.has(dispute.status)))

async function announceOpening(tx: StoreTx, order: Order, dispute: Dispute): Promise<void> {
  const { amountMinor, currency, reason } = dispute
  const note = `The buyer disputes ${formatMinor(amountMinor, currency)} at the bank (${reason})`
  await addHistoryNote(tx, order, note, 'gateway')
  await emitDisputeEvent(tx, orderDisputed, dispute)
}

async function announceEnd(tx: StoreTx, order: Order, dispute: Dispute): Promise<void> {
  await addHistoryNote(tx, order, `The dispute is ${dispute.status}`, 'gateway')
  await emitDisputeEvent(tx, orderDisputeClosed, dispute)
}
