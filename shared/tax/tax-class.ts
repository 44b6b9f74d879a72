import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { lockName } from '#shared/platform/db/lock-name.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { invalid } from '#shared/platform/validation.ts'

/**
 * A tax class of goods and shipping methods. The store's default class applies to goods and methods without a class.
 */
export class TaxClass extends StoreModel {
  static override tableName = 'tax_classes'

  declare name: string
  declare description: string
  declare isDefault: boolean
  declare createdAt: Date
  declare updatedAt: Date
}

/** Finds a tax class. Throws `resource.not_found`. */
export async function findTaxClass(tx: StoreTx, id: string): Promise<TaxClass> {
  return assertFound(await TaxClass.in(tx).findById(id))
}

/** Throws 422 for an unknown tax class. A known class cannot be deleted until the transaction ends. */
export async function assertTaxClass(tx: StoreTx, id: string | null | undefined): Promise<void> {
  if (id && !(await TaxClass.in(tx).findById(id).forKeyShare().select('id')))
    throw invalid(
      ['tax_class_id'],
      'This store does not have this tax class. Use the id of an existing one',
      id,
    )
}

export type TaxClassInput = Pick<TaxClass, 'name'> & Partial<Pick<TaxClass, 'description' | 'isDefault'>>

/** Locks the default class, because two concurrent changes must not both find none. */
export const lockDefaultClass = ({ knex, storeId }: StoreTx) => lockName(knex, `default tax class ${storeId}`)

/** Unsets the default before another class becomes it. The prices of the catalog depend on it. */
export async function unsetDefaultClass(tx: StoreTx): Promise<void> {
  await lockDefaultClass(tx)
  bumpCatalogVersion(tx)
  const before = await TaxClass.in(tx).findOne('is_default', true).forNoKeyUpdate()
  if (before)
    await TaxClass.in(tx)
      .findById(before.id)
      .patch({ isDefault: false, updatedAt: nextUpdatedAt(before) })
}
