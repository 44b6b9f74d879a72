import { isDeepStrictEqual } from 'node:util'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookLostDispute, revertLostDispute } from '#shared/refunds/gateway/book-lost-dispute.ts'
import { Dispute } from './dispute.ts'
import { emitDisputeEvent, orderDisputeClosed, orderDisputed } from './events.ts'
import { noteVoucherOrders } from './note-voucher-orders.ts'
import { DISPUTE_TRANSITIONS, type DisputeStatus, ENDED_WITHOUT_LOSS, isOpen } from './states.ts'
import { updateVoucherBlocks } from './update-voucher-blocks.ts'

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
  atGateway: GatewayDispute,
  version: number | null,
): Promise<boolean> {
  const { provider, paymentReference } = atGateway
  const payment = await Payment.in(tx).findOne({ provider, gateway_reference: paymentReference })
  if (!payment) return true
  const order = await lockOrder(tx, payment.orderId)
  if ((await readDisputeVersion(tx, atGateway.reference)) !== version) return false
  const known = await Dispute.in(tx).findOne('gateway_reference', atGateway.reference)
  if (known?.status === atGateway.status) {
    await changeDetails(tx, payment, known, atGateway)
    return true
  }
  if (known && !canTransition(DISPUTE_TRANSITIONS, known.status, atGateway.status)) return true

  const dispute = known
    ? await changeDispute(tx, known, atGateway)
    : await insertDispute(tx, payment, atGateway)
  if (!known || isDisputedAgain(known, dispute)) await announceOpening(tx, order, dispute)
  if (!dispute.isOpen) await announceEnd(tx, order, dispute)
  if (known?.status === 'lost') await revertLostDispute(tx, dispute.id)
  if (dispute.status === 'lost') await bookLostDispute(tx, payment, { ...atGateway, disputeId: dispute.id })
  await updateVoucherBlocks(tx, order.id)
  return true
}

/** Returns the fields that a bank can change until it decides, e.g. the amount when it escalates an inquiry. */
const detailsOf = ({ reason, amountMinor, currency, respondBy }: GatewayDispute) => ({
  reason,
  amountMinor,
  currency,
  respondBy,
})

const columnsOf = (atGateway: GatewayDispute) => {
  const { status } = atGateway
  const at = now()
  return { ...detailsOf(atGateway), status, closedAt: isOpen(status) ? null : at, updatedAt: at }
}

async function insertDispute(tx: StoreTx, payment: Payment, atGateway: GatewayDispute): Promise<Dispute> {
  const { openedAt, reference } = atGateway
  const { id, orderId } = payment
  return Dispute.in(tx).insert({
    orderId,
    paymentId: id,
    gatewayReference: reference,
    openedAt,
    ...columnsOf(atGateway),
    createdAt: now(),
  })
}

async function changeDispute(tx: StoreTx, { id }: Dispute, atGateway: GatewayDispute): Promise<Dispute> {
  await Dispute.in(tx).findById(id).patch(columnsOf(atGateway))
  return Dispute.in(tx).findById(id).throwIfNotFound()
}

/** Records the changed details of a dispute, and books a lost one again with them. A repeat changes nothing. */
async function changeDetails(
  tx: StoreTx,
  payment: Payment,
  known: Dispute,
  atGateway: GatewayDispute,
): Promise<void> {
  const details = detailsOf(atGateway)
  const { id, reason, amountMinor, currency, respondBy } = known
  if (isDeepStrictEqual(details, { reason, amountMinor, currency, respondBy })) return
  await Dispute.in(tx)
    .findById(id)
    .patch({ ...details, updatedAt: now() })
  if (known.status !== 'lost' || amountMinor === atGateway.amountMinor) return
  await revertLostDispute(tx, id)
  await bookLostDispute(tx, payment, { ...atGateway, disputeId: id })
  await updateVoucherBlocks(tx, payment.orderId)
}

/** Whether a closed dispute was opened again, or lost after it had ended without a loss. */
const isDisputedAgain = (known: Dispute, dispute: Dispute): boolean =>
  !known.isOpen &&
  (dispute.isOpen || (ENDED_WITHOUT_LOSS.has(known.status) && !ENDED_WITHOUT_LOSS.has(dispute.status)))

async function announceOpening(tx: StoreTx, order: Order, dispute: Dispute): Promise<void> {
  const { amountMinor, currency, reason } = dispute
  const note = `The buyer disputes ${formatMinor(amountMinor, currency)} at the bank (${reason})`
  await addHistoryNote(tx, order, note, 'gateway')
  await noteVoucherOrders(tx, order.id, 'The payment of the gift voucher is disputed at the bank')
  await emitDisputeEvent(tx, orderDisputed, dispute)
}

async function announceEnd(tx: StoreTx, order: Order, dispute: Dispute): Promise<void> {
  await addHistoryNote(tx, order, `The dispute is ${dispute.status}`, 'gateway')
  await noteVoucherOrders(tx, order.id, `The dispute about the gift voucher is ${dispute.status}`)
  await emitDisputeEvent(tx, orderDisputeClosed, dispute)
}
