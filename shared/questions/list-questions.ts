import { Type } from 'typebox'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import { narrowToMatches } from '#shared/platform/db/narrow-to-matches.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Uuid } from '#shared/platform/http/schema.ts'
import { type QuestionWithProduct, questionsWithProducts } from './question.ts'
import { idsOfQuestions } from './question-words.ts'
import { QUESTION_STATUSES } from './states.ts'

export const QUESTIONS = new List({
  sorts: { created_at: 'product_questions.created_at', updated_at: 'product_questions.updated_at' },
  order: '-created_at',
  searches:
    "Beginnings of up to ten words of the question, its answer and the author's name; with the right " +
    "`customers:read` also of the author's address",
  createdAt: 'product_questions.created_at',
  updatedAt: 'product_questions.updated_at',
  id: 'product_questions.id',
  filters: {
    status: Type.Optional(Type.Enum([...QUESTION_STATUSES])),
    product_id: Type.Optional(Uuid),
  },
})

export type QuestionFilter = FilterOf<typeof QUESTIONS>

/**
 * Returns one page of the store's questions that pass a filter, with their total number. Searches the addresses of
 * authors only if `seesAddress`, because a search would reveal them.
 */
export async function listQuestions(
  tx: StoreTx,
  filter: QuestionFilter,
  visibility: { seesAddress: boolean },
): Promise<Page<QuestionWithProduct>> {
  const query = questionsWithProducts(tx)
  if (filter.q !== undefined)
    await narrowToMatches(query, idsOfQuestions(tx, filter.q, visibility), 'product_questions.id')
  if (filter.status) query.where('status', filter.status)
  if (filter.product_id) query.where('product_id', filter.product_id)
  return QUESTIONS.page(query, filter)
}
