import { closeDb } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findDiscrepancies } from '#shared/reconciliation/find-discrepancies.ts'
import { listStoreSlugs } from '#shared/stores/list-stores.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe.ts'
import { comparePaymentsWithGateway } from './compare-with-gateway.ts'
import { flagPayments } from './flag-payments.ts'
import { comparedWindow } from './reconcile-stores.ts'

/**
 * `npm run reconcile -- <store's slug | all> [<days>]` compares the books of stores with each other and, for the
 * payments of the last days, with the payment gateway. It changes nothing. Exits 1 when there is a difference, and 2
 * for an unknown store or another number of days than 1 to 366.
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
  const flags = await flagPayments(stripeGateway(), comparedWindow(days))
  let code = 0
  for (const { id, slug } of stores) {
    const references = [...(flags.get(id) ?? [])]
    const found = [
      ...(await inStore(id, findDiscrepancies)),
      ...(await comparePaymentsWithGateway(stripeGateway(), id, references)),
    ]
    print(`${slug}  ${found.length ? `${found.length} DIFFERENCES` : 'the books agree'}`)
    for (const one of found)
      print(`  ${one.invariant}  ${one.subject}\n    expected ${one.expected}\n    found    ${one.found}`)
    if (found.length) code = 1
  }
  return code
}

if (import.meta.main) {
  const [, , target = 'all', days] = process.argv
  process.exitCode = await reconcile(target, console.log, days === undefined ? undefined : Number(days))
  await closeDb()
}
