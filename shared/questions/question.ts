import { StoreModel } from '#shared/platform/db/model.ts'

export const QUESTION_STATUSES = ['pending', 'approved', 'rejected'] as const
export type QuestionStatus = (typeof QUESTION_STATUSES)[number]

/** What staff may make of a question: nothing waits again for what was decided. */
export const DECISIONS = ['approved', 'rejected'] as const satisfies readonly QuestionStatus[]

/** What somebody asked about a product. Everyone sees it once it is approved, but never who to write to. */
export class Question extends StoreModel {
  static override tableName = 'product_questions'

  declare productId: string
  /** Null: a guest's. */
  declare customerId: string | null
  /** As it is shown. */
  declare authorName: string
  declare authorEmail: string
  /** BCP 47: what the asker is answered in. */
  declare language: string
  declare body: string
  declare status: QuestionStatus
  declare answerBody: string | null
  /** When it was first answered; null without an answer. */
  declare answeredAt: Date | null
  /** When the asker was sent an answer: that is done once. */
  declare answerMailedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}
