import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { TaxErrors } from '#shared/tax/errors.ts'
import { TaxClass, type TaxClassInput, unsetDefaultClass } from '#shared/tax/tax-class.ts'

// Limited, because the prices of all classes at a place are computed together.
const MAX_CLASSES = 200

/** Creates a tax class. A new default replaces the previous one. Throws `tax_class.limit_reached`. */
export async function createTaxClass(tx: StoreTx, input: TaxClassInput): Promise<TaxClass> {
  const { name, description = '', isDefault = false } = input
  await assertBelowLimit(tx, TaxClass.in(tx), MAX_CLASSES, TaxErrors.classLimitReached)
  if (isDefault) await unsetDefaultClass(tx)
  const at = now()
  return TaxClass.in(tx).insert({ name, description, isDefault, createdAt: at, updatedAt: at })
}
