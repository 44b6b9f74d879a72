import { inStore } from '#shared/platform/db/store-scope.ts'
import { findDiscrepancies } from '#shared/reconciliation/find-discrepancies.ts'

/** The number of discrepancies in the books of these stores. Each is printed. */
export async function countDiscrepancies(storeIds: Iterable<string>): Promise<number> {
  let count = 0
  for (const storeId of new Set(storeIds))
    for (const discrepancy of await inStore(storeId, findDiscrepancies)) {
      console.error({ storeId, ...discrepancy })
      count += 1
    }
  return count
}
