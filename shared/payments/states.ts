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
 * A capture is recorded whatever the status was before: the money has been taken. `mismatched`: the gateway captured
 * another amount or currency than was requested, and staff decide.
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

/** The buyer may still be paying. */
export const OPEN_STATUSES: PaymentStatus[] = ['pending', 'requires_action', 'authorized']

/** The gateway may still capture it: after a decline the same intent can be tried with another card. */
export const CANCELABLE_STATUSES: PaymentStatus[] = PAYMENT_STATUSES.filter((status) =>
  canTransition(PAYMENT_TRANSITIONS, status, 'canceled'),
)
