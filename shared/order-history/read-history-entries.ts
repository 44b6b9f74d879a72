import { Dispute } from '#shared/disputes/dispute.ts'
import { listOrderMails } from '#shared/order-mails/list-order-mails.ts'
import type { OrderActor } from '#shared/orders/actor.ts'
import { OrderStep } from '#shared/orders/order-step.ts'
import { listPayments } from '#shared/payments/payment.ts'
import { listSurpluses } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toMajor } from '#shared/platform/money.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { EMPTY, type HistoryEntry, type Source } from './history-entry.ts'
import { OrderNote } from './order-note.ts'
import { listShipmentEntries } from './shipment-entries.ts'

const money = (minor: bigint, currency: string) => ({ amount: toMajor(minor, currency), currency })

const steps: Source = async (tx, orderId) =>
  (await OrderStep.in(tx).where('order_id', orderId).whereNull('shipment_id').orderBy('id')).map(viewStep)

const viewStep = ({ fromStatus, toStatus, returnId, ...step }: OrderStep): HistoryEntry => ({
  ...EMPTY,
  kind: kindOfStep(fromStatus !== toStatus, returnId),
  at: step.createdAt,
  actor: step.actor,
  id: returnId,
  status: fromStatus === toStatus ? null : toStatus,
  text: step.note,
})

function kindOfStep(changesStatus: boolean, returnId: string | null): 'status' | 'return' | 'internal_note' {
  if (changesStatus) return 'status'
  return returnId ? 'return' : 'internal_note'
}

const notes: Source = async (tx, orderId) =>
  (await OrderNote.in(tx).where('order_id', orderId).orderBy('id')).map((note) => ({
    ...EMPTY,
    kind: note.isCustomerVisible ? ('note' as const) : ('internal_note' as const),
    at: note.createdAt,
    actor: note.actor,
    id: note.id,
    text: note.body,
  }))

const payments: Source = async (tx, orderId) =>
  (await listPayments(tx, orderId)).map((payment) => ({
    kind: 'payment' as const,
    at: payment.capturedAt ?? payment.updatedAt,
    actor: payment.recordedBy ?? ('gateway' as const),
    id: payment.id,
    status: payment.status,
    text: payment.failureReason,
    ...money(payment.capturedMinor ?? payment.amountMinor, payment.capturedCurrency ?? payment.currency),
  }))

const surpluses: Source = async (tx, orderId) =>
  (await listSurpluses(tx, orderId)).map((surplus) => ({
    kind: 'surplus' as const,
    at: surplus.createdAt,
    actor: 'system' as const,
    id: surplus.id,
    status: surplus.status,
    text: surplus.failureReason,
    ...money(surplus.amountMinor, surplus.currency),
  }))

const refunds: Source = async (tx, orderId) =>
  (await Refund.in(tx).where('order_id', orderId).orderBy('id')).map((refund) => ({
    kind: 'refund' as const,
    at: refund.settledAt ?? refund.createdAt,
    actor: refund.requestedBy,
    id: refund.id,
    status: refund.status,
    text: refund.failureReason ?? refund.reason,
    ...money(refund.amountMinor, refund.currency),
  }))

const disputes: Source = async (tx, orderId) =>
  (await Dispute.in(tx).where('order_id', orderId).orderBy('id')).map((dispute) => ({
    kind: 'dispute' as const,
    at: dispute.closedAt ?? dispute.openedAt,
    actor: 'gateway' as const,
    id: dispute.id,
    status: dispute.status,
    text: dispute.reason,
    ...money(dispute.amountMinor, dispute.currency),
  }))

const mails: Source = async (tx, orderId) => {
  const notes = await OrderNote.in(tx).where({ order_id: orderId, is_mailed: true }).orderBy('id')
  return [
    ...(await listOrderMails(tx, orderId)).map(({ kind, queuedAt }) => viewMail(kind, queuedAt, 'system')),
    ...notes.map(({ createdAt, actor }) => viewMail('note', createdAt, actor)),
  ]
}

const viewMail = (text: string, at: Date, actor: OrderActor): HistoryEntry => ({
  ...EMPTY,
  kind: 'mail',
  at,
  actor,
  text,
})

const SOURCES: readonly Source[] = [
  steps,
  listShipmentEntries,
  notes,
  payments,
  surpluses,
  refunds,
  disputes,
  mails,
]

/** Returns the entries of an order from all kinds of records, oldest first. */
export async function readHistoryEntries(tx: StoreTx, orderId: string): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  for (const read of SOURCES) entries.push(...(await read(tx, orderId)))
  return entries.sort((one, other) => one.at.getTime() - other.at.getTime())
}
