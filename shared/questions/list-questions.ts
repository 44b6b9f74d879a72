import type { Page, Paged } from '#shared/platform/db/list-query.ts'
import {
  type CreatedAtFilter,
  filterByCreatedAt,
  likePattern,
  sortOrder,
} from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type QuestionStatus, type QuestionWithProduct, questionsWithProducts } from './question.ts'

export const QUESTION_SORTS = ['-created_at', 'created_at'] as const

export interface QuestionFilter extends Paged, CreatedAtFilter {
  status?: QuestionStatus
  product_id?: string
  /** Part of the question, its answer, the author's name or address. */
  q?: string
  sort: (typeof QUESTION_SORTS)[number]
}

/** One page of the store's questions that pass a filter, with their total number. */
export function listQuestions(tx: StoreTx, filter: QuestionFilter): PromiseLike<Page<QuestionWithProduct>> {
  const { direction } = sortOrder(filter.sort)
  return matchingQuestions(tx, filter)
    .orderBy('product_questions.created_at', direction)
    .orderBy('product_questions.id', direction)
    .page(filter.page - 1, filter.page_size)
}

const MATCHES_TEXT = "concat_ws(' ', body, answer_body, author_name, author_email) ilike ?"

function matchingQuestions(tx: StoreTx, { status, product_id, q, ...created }: QuestionFilter) {
  const query = questionsWithProducts(tx)
  if (status) query.where('status', status)
  if (product_id) query.where('product_id', product_id)
  filterByCreatedAt(query, created, 'product_questions.created_at')
  if (q) query.whereRaw(MATCHES_TEXT, [likePattern(q)])
  return query
}
