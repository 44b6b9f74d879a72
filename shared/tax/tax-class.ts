import type { Paged } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { invalid } from '#shared/platform/validation.ts'

/** A tax class of goods and shipping methods. The store's default class applies to those without one. */
export class TaxClass extends StoreModel {
  static override tableName = 'tax_classes'

  declare name: string
  declare description: string
  declare isDefault: boolean
  declare createdAt: Date
  declare updatedAt: Date
}

/** Throws `resource.not_found`. */
export async function findTaxClass(tx: StoreTx, id: string): Promise<TaxClass> {
  const found = await TaxClass.in(tx).findById(id)
  if (!found) throw CommonErrors.notFound()
  return found
}

/** Returns a page of the store's tax classes, sorted by name. */
export const listTaxClasses = (tx: StoreTx, { page, page_size }: Paged) =>
  TaxClass.in(tx)
    .orderBy(['name', 'id'])
    .page(page - 1, page_size)

/** Throws 422 for an unknown tax class. A known one cannot be deleted until the transaction ends. */
export async function assertTaxClass(tx: StoreTx, id: string | null | undefined): Promise<void> {
  if (id && !(await TaxClass.in(tx).findById(id).forKeyShare().select('id')))
    throw invalid(['tax_class_id'], 'This store has no such tax class', id)
}
