import type { Transitions } from '../platform/states.ts'

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

/** Decisions, section 7. `canceled` and `refunded` are terminal. */
export const ORDER_TRANSITIONS: Transitions<OrderStatus> = {
  pending: ['processing', 'failed', 'canceled'],
  failed: ['pending', 'processing', 'canceled'],
  processing: ['shipped', 'complete', 'canceled', 'refunded'],
  shipped: ['complete', 'refunded'],
  complete: ['refunded'],
  canceled: [],
  refunded: [],
}
