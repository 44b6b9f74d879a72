import type { ReservationTransition } from '#shared/inventory/transition-reservations.ts'
import type { Transitions } from '#shared/platform/states.ts'

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
 * `canceled` and `refunded` are terminal; only a bank that revises a dispute takes the latter back (`undoRefunded`). A
 * late payment moves `failed` straight to `processing`. Staff cancel a `shipped` order that the buyer did not accept
 * and pay on delivery (`changeOrderStatus`).
 */
export const ORDER_TRANSITIONS: Transitions<OrderStatus> = {
  pending: ['processing', 'failed', 'canceled'],
  failed: ['pending', 'processing', 'canceled'],
  processing: ['shipped', 'complete', 'canceled', 'refunded'],
  shipped: ['complete', 'canceled', 'refunded'],
  complete: ['refunded'],
  canceled: [],
  refunded: [],
}

/** The store serves the order, paid or not. */
export const SERVED_STATUSES: ReadonlySet<OrderStatus> = new Set(['processing', 'shipped', 'complete'])

/** The statuses that an order takes when its goods leave. */
export const SENDS_GOODS: ReadonlySet<OrderStatus> = new Set(['shipped', 'complete'])

/**
 * The transition of an order's stock reservations with its status. Shipped units stay gone until they are restocked.
 */
export const STOCK_OF_STATUS: Readonly<Record<OrderStatus, ReservationTransition>> = {
  pending: { from: ['released'], to: 'held' },
  processing: { from: ['held', 'released'], to: 'allocated' },
  shipped: { from: ['held', 'allocated'], to: 'shipped' },
  complete: { from: ['held', 'allocated'], to: 'shipped' },
  failed: { from: ['held', 'allocated'], to: 'released' },
  canceled: { from: ['held', 'allocated'], to: 'released' },
  refunded: { from: ['held', 'allocated'], to: 'released' },
}
