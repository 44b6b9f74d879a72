import type { Transitions } from '#shared/platform/states.ts'

export const DISPUTE_STATUSES = ['needs_response', 'under_review', 'won', 'lost', 'closed'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** `closed`: an inquiry that ended without a dispute. */
export const DISPUTE_TRANSITIONS: Transitions<DisputeStatus> = {
  needs_response: ['under_review', 'won', 'lost', 'closed'],
  under_review: ['needs_response', 'won', 'lost', 'closed'],
  // An inquiry that was closed, and a dispute that was won, can be escalated by the bank.
  closed: ['needs_response', 'under_review', 'won', 'lost'],
  won: ['needs_response', 'under_review', 'lost', 'closed'],
  // A bank can revise its decision.
  lost: ['needs_response', 'under_review', 'won', 'closed'],
}

/** The bank of the buyer has not decided. */
export const OPEN_DISPUTE_STATUSES = [
  'needs_response',
  'under_review',
] as const satisfies readonly DisputeStatus[]

export const isOpen = (status: DisputeStatus): boolean =>
  (OPEN_DISPUTE_STATUSES as readonly string[]).includes(status)
