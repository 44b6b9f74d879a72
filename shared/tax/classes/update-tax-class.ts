import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { lockDefaultClass, TaxClass, type TaxClassInput, unsetDefaultClass } from '#shared/tax/tax-class.ts'

/** Changes a tax class. Throws `resource.not_found` and `resource.changed`. */
export async function updateTaxClass(
  tx: StoreTx,
  id: string,
  { name, description, isDefault }: Partial<TaxClassInput>,
  ifMatch: string | undefined,
): Promise<TaxClass> {
  if (isDefault) await lockDefaultClass(tx)
  const before = assertFound(await TaxClass.in(tx).findById(id).forNoKeyUpdate())
  assertUnchanged(before, ifMatch)
  if (isDefault && !before.isDefault) await unsetDefaultClass(tx)
  return TaxClass.in(tx).patchAndFetchById(id, {
    name,
    description,
    isDefault,
    updatedAt: nextUpdatedAt(before),
  })
}
