import type { ImportJob } from '#shared/imports/import-job.ts'
import type { ImportJobDefinition } from '#shared/imports/jobs.ts'
import { endImport } from '#shared/imports/lifecycle/end-import.ts'
import {
  endInterruptedSlice,
  isExpectedInterruption,
} from '#shared/imports/lifecycle/end-interrupted-slice.ts'
import { importSlice, type OpenImport } from '#shared/imports/lifecycle/import-slice.ts'
import { startImport } from '#shared/imports/lifecycle/start-import.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import type { Store } from '#shared/stores/store.ts'
import { handle } from '#workers/platform/handle.ts'

type Open<Row> = (job: ImportJob, store: Store) => OpenImport<Row>

/** Defines a job that imports a file in batches, and continues after the progress of earlier runs. */
export const handleImport = <Row>(definition: ImportJobDefinition, open: Open<Row>) =>
  handle(definition, async ({ storeId, jobId, slice }, run) => {
    const started = await inStore(storeId, (tx) => startImport(tx, jobId, slice))
    if (!started) return
    try {
      const file = open(started, await findExistingStore(storeId))
      const isDone = await importSlice(definition, started, file, run.signal)
      if (isDone) await inStore(storeId, (tx) => endImport(tx, jobId, { status: 'succeeded' }))
    } catch (error) {
      const isExpected = isExpectedInterruption(error)
      if (isExpected || run.retry >= definition.rules.retries)
        await inStore(storeId, (tx) => endInterruptedSlice(tx, definition, jobId, error))
      if (!isExpected) throw error
    }
  })

async function findExistingStore(storeId: string): Promise<Store> {
  const tenant = await findStoreById(storeId)
  if (!tenant) throw new Error('The store of the import does not exist')
  return tenant.store
}
