import { closeDb } from '#shared/platform/db/db.ts'
import { listStoreSlugs } from '#shared/stores/list-stores.ts'
import { rollUpStore } from './roll-up-reports.ts'

/**
 * `npm run reports:rebuild -- <store's slug | all>` recalculates the stored figures of past days, one day at a
 * time, while reports read the stored ones. Exits 2 for an unknown store.
 */
export async function rebuildReports(target: string, print: (line: string) => void): Promise<number> {
  const stores = await listStoreSlugs(target === 'all' ? undefined : target)
  if (target !== 'all' && stores.length === 0) {
    print(`There is no store "${target}". Use a store's slug or "all".`)
    return 2
  }
  for (const { id, slug } of stores) {
    print(`${slug}  ${await rollUpStore(id, { recalculate: true })} days`)
  }
  return 0
}

if (import.meta.main) {
  process.exitCode = await rebuildReports(process.argv[2] ?? 'all', console.log)
  await closeDb()
}
