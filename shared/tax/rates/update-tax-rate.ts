import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import {
  assertPriorityLimit,
  assertRateReferences,
  TaxRate,
  type TaxRateInput,
} from '#shared/tax/tax-rate.ts'

/**
 * Changes a tax rate for later carts and checkouts. Throws `resource.not_found`, `resource.changed`, and 422 as
 * `createTaxRate`.
 */
export async function updateTaxRate(
  tx: StoreTx,
  id: string,
  input: Partial<TaxRateInput>,
  ifMatch: string | undefined,
): Promise<TaxRate> {
  const before = assertFound(await TaxRate.in(tx).findById(id).forNoKeyUpdate())
  assertUnchanged(before, ifMatch)
  await assertRateReferences(tx, input)
  bumpCatalogVersion(tx)
  const rate = await TaxRate.in(tx).patchAndFetchById(id, { ...input, updatedAt: nextUpdatedAt(before) })
  await assertPriorityLimit(tx, rate)
  return rate
}
