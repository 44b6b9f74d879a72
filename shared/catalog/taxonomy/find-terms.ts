import type { Page, Paged } from '#shared/platform/db/page.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Vocabulary } from './taxonomy.ts'
import type { Term } from './term.ts'

export interface TermQuery extends Paged {
  /** Words that stand in a name. */
  q?: string | undefined
}

/** One page of a vocabulary, in its order, and how many terms there are in all. */
export async function findTerms<T extends Term>(
  tx: StoreTx,
  vocabulary: Vocabulary<T>,
  { page, page_size, q }: TermQuery,
): Promise<Page<T>> {
  const query = vocabulary.model.in(tx)
  if (q) vocabulary.named(query, q)
  for (const column of vocabulary.order) query.orderBy(column)
  return (await query.page(page - 1, page_size)) as Page<Term> as Page<T>
}

/** One term. Throws `resource.not_found`. */
export async function findTerm<T extends Term>(
  tx: StoreTx,
  { model }: Vocabulary<T>,
  id: string,
): Promise<T> {
  const term = await model.in(tx).findById(id)
  if (!term) throw CommonErrors.notFound()
  return term as T
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockTerm<T extends Term>(
  tx: StoreTx,
  { model }: Vocabulary<T>,
  id: string,
): Promise<T> {
  const term = await model.in(tx).findById(id).forNoKeyUpdate()
  if (!term) throw CommonErrors.notFound()
  return term as T
}
