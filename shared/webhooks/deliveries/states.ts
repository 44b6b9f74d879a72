import type { Transitions } from '#shared/platform/states.ts'

/**
 * `pending`: an attempt is due at `next_attempt_at`. It is queued, or held until the webhook's window has room.
 * `succeeded`: the receiver responded 2xx. `failed`: no attempts are left to make, because the webhook is gone or
 * disabled or no longer covers the event, or it was a test. `exhausted`: all attempts failed.
 */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'exhausted'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** An attempt settles a pending delivery or leaves it pending. A redelivery makes any delivery pending. */
export const DELIVERY_TRANSITIONS: Transitions<DeliveryStatus> = {
  pending: ['pending', 'succeeded', 'failed', 'exhausted'],
  succeeded: ['pending'],
  failed: ['pending'],
  exhausted: ['pending'],
}

/** The statuses of deliveries that were given up. Staff can send them again. */
export const UNDELIVERED_STATUSES = ['failed', 'exhausted'] as const satisfies readonly DeliveryStatus[]
