import type { Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { invalid } from '#shared/platform/validation.ts'
import { TaxClass } from './tax-class.ts'

/** A tax class of the store; unknown: 404. */
export async function findTaxClass(tx: StoreTx, id: string): Promise<TaxClass> {
  const found = await TaxClass.in(tx).findById(id)
  if (!found) throw CommonErrors.notFound()
  return found
}

/** A page of the store's tax classes, by name. */
export const listTaxClasses = (tx: StoreTx, { page, page_size }: Paged) =>
  TaxClass.in(tx)
    .orderBy(['name', 'id'])
    .page(page - 1, page_size)

/** Refuses (422) a tax class that the store has not; one that it has stays until the transaction ends. */
export async function assertTaxClass(tx: StoreTx, id: string | null | undefined): Promise<void> {
  if (id && !(await TaxClass.in(tx).findById(id).forKeyShare().select('id')))
    throw invalid(['tax_class_id'], 'This store has no such tax class', id)
}
