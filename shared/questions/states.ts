export const QUESTION_STATUSES = ['pending', 'approved', 'rejected'] as const
export type QuestionStatus = (typeof QUESTION_STATUSES)[number]

/** The statuses that staff can set. A decided question never returns to `pending`. */
export const DECISIONS = ['approved', 'rejected'] as const satisfies readonly QuestionStatus[]
