import { type Transitions, terminalStates } from '#shared/platform/states.ts'

export const REFUND_STATUSES = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

/** A succeeded refund fails when the buyer's bank returns the money. */
export const REFUND_TRANSITIONS: Transitions<RefundStatus> = {
  pending: ['requires_action', 'succeeded', 'failed', 'canceled'],
  requires_action: ['pending', 'succeeded', 'failed', 'canceled'],
  succeeded: ['failed', 'canceled'],
  failed: [],
  canceled: [],
}

/** The statuses of refunds that paid nothing, or whose money the buyer's bank returned. */
export const FAILED_REFUND_STATUSES = terminalStates(REFUND_TRANSITIONS)

/**
 * `store`: the store refunds the order. `surplus`: a surplus goes back. `gateway`: it was made at the gateway.
 * `dispute`: the buyer won a dispute.
 */
export const REFUND_ORIGINS = ['store', 'surplus', 'gateway', 'dispute'] as const
export type RefundOrigin = (typeof REFUND_ORIGINS)[number]

/** A unique index allows each order only one refund by the store in these statuses. */
export const IN_PROGRESS_REFUND_STATUSES = [
  'pending',
  'requires_action',
] as const satisfies readonly RefundStatus[]

export const isInProgress = (status: RefundStatus): boolean =>
  (IN_PROGRESS_REFUND_STATUSES as readonly string[]).includes(status)
