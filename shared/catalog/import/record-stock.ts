import { reportStockChanges } from '#shared/inventory/report-stock-changes.ts'
import { setStock } from '#shared/inventory/set-stock.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { PlannedVariant } from './plan-variants.ts'

/** Sets the stock that the file states, and reports the changes of existing variants. */
export async function recordStock(tx: StoreTx, variants: PlannedVariant[], jobId: string): Promise<void> {
  const counts = variants
    .filter(({ variant, before }) => variant.stockOnHand !== (before?.stockOnHand ?? 0))
    .map(({ variant }) => ({ variantId: variant.id, stockOnHand: variant.stockOnHand }))
  const changes = await setStock(tx, counts, { reason: 'import', reference: jobId })
  const known = new Set(variants.flatMap(({ before }) => before?.id ?? []))
  await reportStockChanges(
    tx,
    changes.filter(({ variantId }) => known.has(variantId)),
  )
}
