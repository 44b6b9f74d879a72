import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import { lockName } from '#shared/platform/db/lock-name.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import { FOREIGN_KEY_VIOLATION, sqlState } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import { TaxErrors } from './errors.ts'
import { TaxClass } from './tax-class.ts'

export interface TaxClassInput {
  name: string
  description?: string | undefined
  isDefault?: boolean | undefined
}

// The price of each class at a place is computed at once.
const MAX_CLASSES = 200

/** Creates a tax class. A new default replaces the previous one. Throws `tax_class.too_many`. */
export async function createTaxClass(tx: StoreTx, input: TaxClassInput): Promise<TaxClass> {
  const { name, description = '', isDefault = false } = input
  await assertBelowLimit(tx, TaxClass.in(tx), MAX_CLASSES, TaxErrors.tooManyClasses)
  if (isDefault) await unsetDefault(tx)
  const at = now()
  return TaxClass.in(tx).insert({ name, description, isDefault, createdAt: at, updatedAt: at })
}

/** Changes a tax class. Throws 404 `resource.not_found` and 412 `resource.changed`. */
export async function changeTaxClass(
  tx: StoreTx,
  id: string,
  { name, description, isDefault }: Partial<TaxClassInput>,
  ifMatch: string | undefined,
): Promise<TaxClass> {
  if (isDefault) await lockDefault(tx)
  const before = await TaxClass.in(tx).findById(id).forNoKeyUpdate()
  if (!before) throw CommonErrors.notFound()
  assertUnchanged(before, ifMatch)
  if (isDefault && !before.isDefault) await unsetDefault(tx)
  return TaxClass.in(tx).patchAndFetchById(id, {
    name,
    description,
    isDefault,
    updatedAt: nextUpdatedAt(before),
  })
}

/** Throws `tax_class.in_use` when a foreign key refers to it, and `resource.not_found`. */
export async function deleteTaxClass(tx: StoreTx, id: string): Promise<void> {
  try {
    if (!(await TaxClass.in(tx).deleteById(id))) throw CommonErrors.notFound()
    bumpCatalogVersion(tx)
  } catch (error) {
    throw sqlState(error) === FOREIGN_KEY_VIOLATION ? TaxErrors.classInUse() : error
  }
}

// Two new defaults at once must not both find that there is none.
const lockDefault = ({ knex, storeId }: StoreTx) => lockName(knex, `default tax class ${storeId}`)

/** The prices of the catalog depend on the default. */
async function unsetDefault(tx: StoreTx): Promise<void> {
  await lockDefault(tx)
  bumpCatalogVersion(tx)
  const before = await TaxClass.in(tx).findOne('is_default', true).forNoKeyUpdate()
  if (before)
    await TaxClass.in(tx)
      .findById(before.id)
      .patch({ isDefault: false, updatedAt: nextUpdatedAt(before) })
}
