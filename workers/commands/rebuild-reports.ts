import { closeDb } from '#shared/platform/db/db.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { listStoreSlugs } from '#shared/stores/list-stores.ts'
import { rollUpStore } from '#workers/reports/roll-up-reports.ts'

/**
 * `npm run reports:rebuild -- <store's slug | all>` recalculates the stored figures of past days, one day at a time.
 * Until a day is recalculated, reports read its stored figures. Exits 2 for an unknown store.
 */
export async function rebuildReports(target: string, print: (line: string) => void): Promise<number> {
  const stores = await listStoreSlugs(target === 'all' ? undefined : target)
  if (target !== 'all' && stores.length === 0) {
    print(`There is no store "${target}". Use a store's slug or "all".`)
    return 2
  }
  return isolateStoreFailures(async (runForStore) => {
    for (const { id, slug } of stores) {
      const days = await runForStore(id, () => rollUpStore(id, { recalculate: true }))
      if (days !== undefined) print(`${slug}  ${days} days`)
    }
    return 0
  })
}

if (import.meta.main) {
  process.exitCode = await rebuildReports(process.argv[2] ?? 'all', console.log)
  await closeDb()
}
