import { type Transitions, terminalStates } from '#shared/platform/states.ts'

export const RETURN_STATUSES = [
  'requested',
  'approved',
  'received',
  'completed',
  'rejected',
  'canceled',
] as const
export type ReturnStatus = (typeof RETURN_STATUSES)[number]

export const RETURN_TRANSITIONS: Transitions<ReturnStatus> = {
  requested: ['approved', 'rejected', 'canceled'],
  approved: ['received', 'canceled'],
  received: ['completed'],
  completed: [],
  rejected: [],
  canceled: [],
}

const CLOSED_RETURN_STATUSES = terminalStates(RETURN_TRANSITIONS)

/** The statuses in which staff still have something to do. */
export const OPEN_RETURN_STATUSES = RETURN_STATUSES.filter(
  (status) => !CLOSED_RETURN_STATUSES.includes(status),
)

/** The statuses of returns whose units were not returned, and can be returned again. */
export const VOID_RETURN_STATUSES = ['rejected', 'canceled'] as const satisfies readonly ReturnStatus[]

/** The statuses in which the items can change. */
const BEFORE_ARRIVAL = ['requested', 'approved'] as const satisfies readonly ReturnStatus[]

export const hasNotArrived = (status: ReturnStatus): boolean =>
  (BEFORE_ARRIVAL as readonly string[]).includes(status)

/** The compensation for the goods. */
export const RETURN_ACTIONS = ['refund', 'credit', 'replacement', 'none'] as const
export type ReturnAction = (typeof RETURN_ACTIONS)[number]

export const RETURN_REASONS = [
  'defective',
  'damaged',
  'wrong_item',
  'not_as_described',
  'wrong_size',
  'unwanted',
  'late',
  'other',
] as const
export type ReturnReason = (typeof RETURN_REASONS)[number]

export const RETURN_CONDITIONS = ['unopened', 'opened', 'used', 'damaged'] as const
export type ReturnCondition = (typeof RETURN_CONDITIONS)[number]

/**
 * What staff find when units arrive. `restocked`: sellable. `restockReturn` puts them back in stock later.
 * `not_restocked`: arrived but not sellable. `missing`: never arrived.
 */
export const DISPOSITIONS = ['restocked', 'not_restocked', 'missing'] as const
export type Disposition = (typeof DISPOSITIONS)[number]
