import { type Static, Type } from 'typebox'
import { Dispute } from '#shared/disputes/dispute.ts'
import { listOrderMails } from '#shared/order-mails/mail-order-event.ts'
import { findOrder } from '#shared/orders/order.ts'
import { OrderHistory } from '#shared/orders/order-history.ts'
import { listPayments } from '#shared/payments/payment.ts'
import { listSurpluses } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Nullable, Shape, Timestamp, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { type NamedActor, nameActors } from './actors.ts'
import { OrderNote } from './note.ts'

export const TIMELINE_KINDS = [
  'status',
  'note',
  'internal_note',
  'payment',
  'surplus',
  'refund',
  'dispute',
  'mail',
] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** One moment of an order's life, before its actor has a name. */
interface Moment {
  kind: TimelineKind
  at: Date
  actor: string
  /** The record it is about, if it is one of its own. */
  id: string | null
  status: string | null
  text: string | null
  amount: number | null
  currency: string | null
}

const ActorView = Shape({
  type: Type.Enum(['customer', 'staff', 'api_token', 'guest', 'system', 'gateway']),
  id: Nullable(Uuid),
  name: Type.String({ description: '`""` when nobody of that name exists any more' }),
})

export const TimelineEntryView = Shape({
  kind: Type.Enum([...TIMELINE_KINDS]),
  at: Timestamp,
  actor: ActorView,
  id: Nullable({ ...Uuid, description: 'The payment, refund, dispute, … that it is about' }),
  status: Nullable(Type.String({ description: 'The new status of the order or of that record' })),
  text: Nullable(Type.String()),
  amount: Nullable(Type.Number({ description: 'Major units' })),
  currency: Nullable(Type.String({ description: 'ISO 4217' })),
})

/** Everything that happened to an order, oldest first, with the names of those who did it. Unknown order: 404. */
export async function readTimeline(
  tx: StoreTx,
  orderId: string,
): Promise<Static<typeof TimelineEntryView>[]> {
  await findOrder(tx, orderId)
  const moments: Moment[] = []
  for (const read of SOURCES) moments.push(...(await read(tx, orderId)))
  const actors = await nameActors(
    tx,
    moments.map(({ actor }) => actor),
  )
  return moments
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .map((moment) => viewMoment(moment, actors))
}

const viewMoment = (
  { actor, at, ...moment }: Moment,
  actors: ReadonlyMap<string, NamedActor>,
): Static<typeof TimelineEntryView> => ({
  ...moment,
  at: toTimestamp(at),
  actor: actors.get(actor) ?? { type: 'system', id: null, name: '' },
})

const EMPTY = { id: null, status: null, text: null, amount: null, currency: null }

type Source = (tx: StoreTx, orderId: string) => Promise<Moment[]>

const statuses: Source = async (tx, orderId) =>
  (await OrderHistory.in(tx).where('order_id', orderId).orderBy('id')).map((step) => ({
    ...EMPTY,
    kind: step.fromStatus === step.toStatus ? ('internal_note' as const) : ('status' as const),
    at: step.createdAt,
    actor: step.actor,
    status: step.fromStatus === step.toStatus ? null : step.toStatus,
    text: step.note,
  }))

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
    actor: 'gateway',
    id: payment.id,
    status: payment.status,
    text: payment.failureReason,
    amount: toMajor(
      payment.capturedMinor ?? payment.amountMinor,
      payment.capturedCurrency ?? payment.currency,
    ),
    currency: payment.capturedCurrency ?? payment.currency,
  }))

const surpluses: Source = async (tx, orderId) =>
  (await listSurpluses(tx, orderId)).map((surplus) => ({
    kind: 'surplus' as const,
    at: surplus.createdAt,
    actor: 'system',
    id: surplus.id,
    status: surplus.status,
    text: surplus.failureReason,
    amount: toMajor(surplus.amountMinor, surplus.currency),
    currency: surplus.currency,
  }))

const refunds: Source = async (tx, orderId) =>
  (await Refund.in(tx).where('order_id', orderId).orderBy('id')).map((refund) => ({
    kind: 'refund' as const,
    at: refund.settledAt ?? refund.createdAt,
    actor: refund.requestedBy,
    id: refund.id,
    status: refund.status,
    text: refund.failureReason ?? refund.reason,
    amount: toMajor(refund.amountMinor, refund.currency),
    currency: refund.currency,
  }))

const disputes: Source = async (tx, orderId) =>
  (await Dispute.in(tx).where('order_id', orderId).orderBy('id')).map((dispute) => ({
    kind: 'dispute' as const,
    at: dispute.closedAt ?? dispute.openedAt,
    actor: 'gateway',
    id: dispute.id,
    status: dispute.status,
    text: dispute.reason,
    amount: toMajor(dispute.amountMinor, dispute.currency),
    currency: dispute.currency,
  }))

const mails: Source = async (tx, orderId) =>
  (await listOrderMails(tx, orderId)).map(({ kind, queuedAt }) => ({
    ...EMPTY,
    kind: 'mail' as const,
    at: queuedAt,
    actor: 'system',
    text: kind,
  }))

/** Returns are in it as notes of the order's history. */
const SOURCES: readonly Source[] = [statuses, notes, payments, surpluses, refunds, disputes, mails]
