import type { Page, Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Taxonomy } from './taxonomy.ts'
import type { Term } from './term.ts'

export interface TermQuery extends Paged {
  /** Words that stand in a name. */
  q?: string | undefined
}

/** One page of a taxonomy, in its order, and how many terms there are in all. */
export async function findTerms<T extends Term>(
  tx: StoreTx,
  taxonomy: Taxonomy<T>,
  { page, page_size, q }: TermQuery,
): Promise<Page<T>> {
  const query = taxonomy.model.in(tx)
  if (q) taxonomy.filterByName(query, q)
  for (const column of taxonomy.order) query.orderBy(column)
  return (await query.page(page - 1, page_size)) as Page<Term> as Page<T>
}

/** One term. Throws `resource.not_found`. */
export async function findTerm<T extends Term>(tx: StoreTx, { model }: Taxonomy<T>, id: string): Promise<T> {
  const term = await model.in(tx).findById(id)
  if (!term) throw CommonErrors.notFound()
  return term as T
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockTerm<T extends Term>(tx: StoreTx, { model }: Taxonomy<T>, id: string): Promise<T> {
  const term = await model.in(tx).findById(id).forNoKeyUpdate()
  if (!term) throw CommonErrors.notFound()
  return term as T
}
