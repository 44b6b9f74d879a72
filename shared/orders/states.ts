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

/** How far an order is paid, derived from its amounts. */
export const ORDER_PAYMENT_STATUSES = ['unpaid', 'paid', 'partially_refunded', 'refunded'] as const
export type OrderPaymentStatus = (typeof ORDER_PAYMENT_STATUSES)[number]

/** Decisions, section 7. `canceled` and `refunded` are terminal. Money that comes after all takes `failed` on at once. */
export const ORDER_TRANSITIONS: Transitions<OrderStatus> = {
  pending: ['processing', 'failed', 'canceled'],
  failed: ['pending', 'processing', 'canceled'],
  processing: ['shipped', 'complete', 'canceled', 'refunded'],
  shipped: ['complete', 'refunded'],
  complete: ['refunded'],
  canceled: [],
  refunded: [],
}

/** held: promised while the payment is open; allocated: sold, still on the shelf; then shipped, or released. */
export type StockState = 'held' | 'allocated' | 'shipped' | 'released'

/** Where the stock of an order goes with its status. What has shipped comes back by a return alone. */
export const STOCK_OF_STATUS: Readonly<Record<OrderStatus, { from: StockState[]; to: StockState }>> = {
  pending: { from: ['released'], to: 'held' },
  processing: { from: ['held', 'released'], to: 'allocated' },
  shipped: { from: ['held', 'allocated'], to: 'shipped' },
  complete: { from: ['held', 'allocated'], to: 'shipped' },
  failed: { from: ['held', 'allocated'], to: 'released' },
  canceled: { from: ['held', 'allocated'], to: 'released' },
  refunded: { from: ['held', 'allocated'], to: 'released' },
}
