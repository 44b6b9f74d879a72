/**
 * `pending`: an attempt is due at `next_attempt_at`. `succeeded`: the receiver answered 2xx. `failed`: given up before
 * its last attempt, for the endpoint is gone or switched off, or it was a test. `exhausted`: all attempts failed.
 * An attempt leads from `pending` to any of them; a redelivery leads from any of them to `pending`.
 */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'exhausted'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]
