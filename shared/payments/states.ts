import { canTransition, type Transitions } from '#shared/platform/states.ts'

export const PAYMENT_STATUSES = [
  'pending',
  'requires_action',
  'authorized',
  'mismatched',
  'captured',
  'failed',
  'canceled',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/**
 * A capture is recorded in any status, because the money has been taken. `mismatched`: the gateway captured another
 * amount or currency than was requested, and staff decide.
 */
export const PAYMENT_TRANSITIONS: Transitions<PaymentStatus> = {
  pending: ['requires_action', 'mismatched', 'captured', 'failed', 'canceled'],
  requires_action: ['authorized', 'mismatched', 'captured', 'failed', 'canceled'],
  authorized: ['mismatched', 'captured', 'failed', 'canceled'],
  failed: ['mismatched', 'captured', 'canceled'],
  canceled: ['mismatched', 'captured'],
  mismatched: ['captured'],
  captured: [],
}

/** The statuses in which the buyer may still be paying. */
export const OPEN_PAYMENT_STATUSES: PaymentStatus[] = ['pending', 'requires_action', 'authorized']

/** The statuses in which the gateway may still capture the payment. After a decline the buyer can try another card. */
export const CANCELABLE_PAYMENT_STATUSES: PaymentStatus[] = PAYMENT_STATUSES.filter((status) =>
  canTransition(PAYMENT_TRANSITIONS, status, 'canceled'),
)
