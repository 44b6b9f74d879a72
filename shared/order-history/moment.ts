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

/** One moment of an order's life, before its actor has a name. */
export interface Moment {
  kind: HistoryKind
  at: Date
  actor: string
  /** The record it is about, if it is one of its own. */
  id: string | null
  status: string | null
  text: string | null
  amount: number | null
  currency: string | null
}

/** A moment without a record of its own. */
export const EMPTY = { id: null, status: null, text: null, amount: null, currency: null }

/** The moments of an order in one of its books, in any order. */
export type Source = (tx: StoreTx, orderId: string) => Promise<Moment[]>
