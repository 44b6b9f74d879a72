import { closeDb } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findDiscrepancies } from '#shared/reconciliation/find-discrepancies.ts'
import type { Discrepancy } from '#shared/reconciliation/invariant.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { listStoreSlugs } from '#shared/stores/list-stores.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { comparePaymentsWithGateway } from '#workers/reconciliation/compare-payments-with-gateway.ts'
import { comparedWindow } from '#workers/reconciliation/find-suspect-payments.ts'
import { flagPayments } from '#workers/reconciliation/flag-payments.ts'

/**
 * `npm run reconcile -- <store's slug | all> [<days>]` compares the books of stores with each other and, for the
 * payments of the last days, with the payment gateway. It changes nothing. Exits 1 if there is a difference, and 2 for
 * an unknown store or a number of days outside 1 to 366.
 */
export async function reconcile(
  target: string,
  print: (line: string) => void,
  days?: number,
): Promise<number> {
  const stores = await listStoreSlugs(target === 'all' ? undefined : target)
  if (target !== 'all' && stores.length === 0) {
    print(`There is no store "${target}". Use a store's slug or "all".`)
    return 2
  }
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= 366)) {
    print('Use 1 to 366 days.')
    return 2
  }
  return isolateStoreFailures(async (runForStore) => {
    const flags = await flagPayments(stripeGateway(), comparedWindow(days), runForStore)
    let code = 0
    for (const { id, slug } of stores) {
      const found = await runForStore(id, () => compareStore(id, [...(flags.get(id) ?? [])]))
      if (found) print([`${slug}  ${conclusionOf(found)}`, ...found.map(describe)].join('\n'))
      if (found?.length) code = 1
    }
    return code
  })
}

const compareStore = async (storeId: string, references: readonly string[]): Promise<Discrepancy[]> => [
  ...(await inStore(storeId, findDiscrepancies)),
  ...(await comparePaymentsWithGateway(stripeGateway(), storeId, references)),
]

const conclusionOf = ({ length }: readonly Discrepancy[]): string =>
  length ? `${length} DIFFERENCES` : 'the books agree'

const describe = ({ invariant, subject, expected, found }: Discrepancy): string =>
  `  ${invariant}  ${subject}\n    expected ${expected}\n    found    ${found}`

if (import.meta.main) {
  const [, , target = 'all', days] = process.argv
  process.exitCode = await reconcile(target, console.log, days === undefined ? undefined : Number(days))
  await closeDb()
}
