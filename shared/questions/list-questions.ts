import { List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type QuestionStatus, type QuestionWithProduct, questionsWithProducts } from './question.ts'

export const QUESTIONS = new List({
  sorts: { created_at: 'product_questions.created_at', updated_at: 'product_questions.updated_at' },
  order: '-created_at',
  searches: "Part of the question, its answer, the author's name or e-mail address",
  text: ['author_name', 'author_email', 'body', 'answer_body'],
  createdAt: 'product_questions.created_at',
  updatedAt: 'product_questions.updated_at',
  id: 'product_questions.id',
})

export interface QuestionFilter extends ListFilter {
  status?: QuestionStatus
  product_id?: string
}

/** One page of the store's questions that pass a filter, with their total number. */
export function listQuestions(tx: StoreTx, filter: QuestionFilter): PromiseLike<Page<QuestionWithProduct>> {
  const query = questionsWithProducts(tx)
  if (filter.status) query.where('status', filter.status)
  if (filter.product_id) query.where('product_id', filter.product_id)
  return QUESTIONS.page(query, filter)
}
