import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Taxonomy, Term } from './taxonomy.ts'

/** Returns one page of the terms of a taxonomy, by default sorted by position, and their total number. */
export async function listTerms<T extends Term>(
  tx: StoreTx,
  { model, list }: Taxonomy<T>,
  filter: ListFilter,
): Promise<Page<T>> {
  return (await list.page(model.in(tx), filter)) as Page<Term> as Page<T>
}
