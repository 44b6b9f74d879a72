import type { Transitions } from '#shared/platform/states.ts'

export const DISPUTE_STATUSES = ['needs_response', 'under_review', 'won', 'lost', 'closed'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** `closed`: an inquiry ended without a dispute. */
export const DISPUTE_TRANSITIONS: Transitions<DisputeStatus> = {
  needs_response: ['under_review', 'won', 'lost', 'closed'],
  under_review: ['needs_response', 'won', 'lost', 'closed'],
  // The bank can escalate a closed inquiry and a won dispute.
  closed: ['needs_response', 'under_review', 'won', 'lost'],
  won: ['needs_response', 'under_review', 'lost', 'closed'],
  // A bank can revise its decision.
  lost: ['needs_response', 'under_review', 'won', 'closed'],
}

/** The statuses in which the buyer's bank has not decided. */
export const OPEN_DISPUTE_STATUSES = [
  'needs_response',
  'under_review',
] as const satisfies readonly DisputeStatus[]

export const isOpen = (status: DisputeStatus): boolean =>
  (OPEN_DISPUTE_STATUSES as readonly string[]).includes(status)

/** The statuses of a dispute that ended without a decision against the store, e.g. because it was prevented. */
export const ENDED_WITHOUT_LOSS: ReadonlySet<string> = new Set(['won', 'closed'] satisfies DisputeStatus[])
