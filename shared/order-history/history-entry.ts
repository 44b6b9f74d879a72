import type { OrderActor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

export const HISTORY_KINDS = [
  'status',
  'note',
  'internal_note',
  'shipment',
  'return',
  'payment',
  'surplus',
  'refund',
  'dispute',
  'mail',
] as const
type HistoryKind = (typeof HISTORY_KINDS)[number]

/** One entry of an order's history, before its actor's name is read. */
export interface HistoryEntry {
  kind: HistoryKind
  at: Date
  actor: OrderActor
  /** The id of the entry's record, e.g. a note; null without one. */
  id: string | null
  status: string | null
  text: string | null
  amount: number | null
  currency: string | null
}

/** The default fields of an entry. */
export const EMPTY = { id: null, status: null, text: null, amount: null, currency: null }

/** Reads the entries of an order from one kind of records, unsorted. */
export type Source = (tx: StoreTx, orderId: string) => Promise<HistoryEntry[]>
