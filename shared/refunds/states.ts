import type { Transitions } from '#shared/platform/states.ts'

export const REFUND_STATUSES = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

/** Decisions, section 7. Money that the buyer's bank sends back makes a refund fail after it had succeeded. */
export const REFUND_TRANSITIONS: Transitions<RefundStatus> = {
  pending: ['requires_action', 'succeeded', 'failed', 'canceled'],
  requires_action: ['pending', 'succeeded', 'failed', 'canceled'],
  succeeded: ['failed'],
  failed: [],
  canceled: [],
}

/** An order has at most one refund in one of these. */
export const UNDER_WAY = ['pending', 'requires_action'] as const satisfies readonly RefundStatus[]

export const isUnderWay = (status: RefundStatus): boolean => (UNDER_WAY as readonly string[]).includes(status)
