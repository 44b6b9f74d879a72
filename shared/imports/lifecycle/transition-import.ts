import { ImportJob } from '#shared/imports/import-job.ts'
import { IMPORT_TRANSITIONS, type ImportStatus } from '#shared/imports/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { statesBefore } from '#shared/platform/states.ts'

/** Sets the status of an import. Returns null if the transition is not allowed. */
export async function transitionImport(
  tx: StoreTx,
  jobId: string,
  status: ImportStatus,
  columns: Partial<ImportJob>,
): Promise<ImportJob | null> {
  const changed = await ImportJob.in(tx)
    .where('id', jobId)
    .whereIn('status', statesBefore(IMPORT_TRANSITIONS, status))
    .patch({ status, ...columns })
    .returning('*')
    .first()
  return changed ?? null
}
