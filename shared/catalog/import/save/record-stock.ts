import type { PlannedVariant } from '#shared/catalog/import/plan/plan-variants.ts'
import { recordNewStock } from '#shared/inventory/new-stock.ts'
import { reportStockChanges } from '#shared/inventory/report-stock-changes.ts'
import { setStock } from '#shared/inventory/set-stock.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Records the stock of new variants, which was saved with their rows. Sets the stock of existing variants and reports
 * the changes.
 */
export async function recordStock(tx: StoreTx, variants: PlannedVariant[], jobId: string): Promise<void> {
  const cause = { reason: 'import', reference: jobId } as const
  await recordNewStock(tx, countsOf(variants.filter(({ before }) => before === null)), cause)
  const changed = variants.filter(
    ({ variant, before }) => before && variant.stockOnHand !== before.stockOnHand,
  )
  await reportStockChanges(tx, await setStock(tx, countsOf(changed), cause))
}

const countsOf = (variants: PlannedVariant[]) =>
  variants.map(({ variant }) => ({ variantId: variant.id, stockOnHand: variant.stockOnHand }))
