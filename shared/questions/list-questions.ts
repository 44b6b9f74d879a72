import { List } from '#shared/platform/db/list.ts'
import { type ListFilter, likePattern, type Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type QuestionStatus, type QuestionWithProduct, questionsWithProducts } from './question.ts'

export const QUESTIONS = new List({
  sorts: { created_at: 'product_questions.created_at', updated_at: 'product_questions.updated_at' },
  order: '-created_at',
  searches:
    "Part of the question, its answer or the author's name; with the right `customers:read` also of the author's address",
  createdAt: 'product_questions.created_at',
  updatedAt: 'product_questions.updated_at',
  id: 'product_questions.id',
})

const PUBLIC_TEXTS = ['author_name', 'body', 'answer_body']

export interface QuestionFilter extends ListFilter {
  status?: QuestionStatus
  product_id?: string
}

/**
 * Returns one page of the store's questions that pass a filter, with their total number. Searches the addresses of
 * authors only if `seesAddress`, because a search would reveal them.
 */
export function listQuestions(
  tx: StoreTx,
  filter: QuestionFilter,
  { seesAddress }: { seesAddress: boolean },
): PromiseLike<Page<QuestionWithProduct>> {
  const query = questionsWithProducts(tx)
  const texts = seesAddress ? [...PUBLIC_TEXTS, 'author_email'] : PUBLIC_TEXTS
  if (filter.q) query.whereRaw(`concat_ws(' ', ${texts.join(', ')}) ilike ?`, [likePattern(filter.q.trim())])
  if (filter.status) query.where('status', filter.status)
  if (filter.product_id) query.where('product_id', filter.product_id)
  return QUESTIONS.page(query, filter)
}
