import type { ReservationTransition } from '#shared/inventory/transition-reservations.ts'
import { type Transitions, terminalStates } from '#shared/platform/states.ts'

export const ORDER_STATUSES = [
  'pending',
  'processing',
  'failed',
  'shipped',
  'complete',
  'canceled',
  'refunded',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** Derived from the shipped units. */
export const FULFILLMENT_STATUSES = ['unfulfilled', 'partially_fulfilled', 'fulfilled'] as const

/** Derived from the amounts. */
export const ORDER_PAYMENT_STATUSES = ['unpaid', 'paid', 'partially_refunded', 'refunded'] as const
export type OrderPaymentStatus = (typeof ORDER_PAYMENT_STATUSES)[number]

/**
 * `canceled` and `refunded` are terminal, with the exception of `REVISION_TRANSITIONS`. A late payment moves `failed`
 * straight to `processing`. Staff can cancel a `shipped` or `complete` order if the buyer paid nothing, e.g. because it
 * was refused on delivery (`changeOrderStatus`).
 */
export const ORDER_TRANSITIONS: Transitions<OrderStatus> = {
  pending: ['processing', 'failed', 'canceled'],
  failed: ['pending', 'processing', 'canceled'],
  processing: ['shipped', 'complete', 'canceled', 'refunded'],
  shipped: ['complete', 'canceled', 'refunded'],
  complete: ['canceled', 'refunded'],
  canceled: [],
  refunded: [],
}

/** The statuses that an order gets back when a bank revises its decision about a dispute. */
export const REVISION_TRANSITIONS: Transitions<OrderStatus> = {
  ...ORDER_TRANSITIONS,
  refunded: ['shipped', 'complete'],
}

/** The terminal statuses: no payment and no shipment follows. */
export const ENDED_ORDER_STATUSES: ReadonlySet<OrderStatus> = new Set(terminalStates(ORDER_TRANSITIONS))

/** The statuses in which the store fulfills the order, paid or not. */
export const FULFILLING_ORDER_STATUSES: ReadonlySet<OrderStatus> = new Set([
  'processing',
  'shipped',
  'complete',
])

/** The statuses of orders that count as no sale. */
export const UNSOLD_ORDER_STATUSES = ['failed', 'canceled'] as const satisfies readonly OrderStatus[]

/** The statuses in which the store or the buyer still has something to do. */
export const OPEN_ORDER_STATUSES = [
  'pending',
  'processing',
  'shipped',
] as const satisfies readonly OrderStatus[]

/** The statuses in which an order can still be sent. */
export const UNSENT_ORDER_STATUSES: ReadonlySet<OrderStatus> = new Set(['pending', 'failed', 'processing'])

/** The statuses that staff can give an order. */
export const SETTABLE_ORDER_STATUSES = [
  'shipped',
  'complete',
  'canceled',
  'refunded',
] as const satisfies readonly OrderStatus[]

/** The statuses that an order takes when its goods leave. */
export const SENDS_GOODS: ReadonlySet<OrderStatus> = new Set(['shipped', 'complete'])

/** How each status changes the order's stock reservations. Shipped units return to stock only by a restock. */
export const STOCK_OF_STATUS: Readonly<Record<OrderStatus, ReservationTransition>> = {
  pending: { from: ['released'], to: 'held' },
  processing: { from: ['held', 'released'], to: 'allocated' },
  shipped: { from: ['held', 'allocated'], to: 'shipped' },
  complete: { from: ['held', 'allocated'], to: 'shipped' },
  failed: { from: ['held', 'allocated'], to: 'released' },
  canceled: { from: ['held', 'allocated'], to: 'released' },
  refunded: { from: ['held', 'allocated'], to: 'released' },
}
