import { minIdAt } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'
import { ImportNote } from './import-note.ts'

// Cells of a customers' file are personal data, which an anonymization does not find here.
const RETENTION_MS = 30 * DAY_MS
const BATCH_SIZE = 1_000

/** Deletes up to 1,000 notes of imports that are older than 30 days. Returns whether there may be more. */
export async function purgeOldImportNotes(tx: StoreTx): Promise<boolean> {
  const old = ImportNote.in(tx)
    .where('id', '<', minIdAt(inMs(-RETENTION_MS)))
    .limit(BATCH_SIZE)
    .select('id')
  return (await ImportNote.in(tx).whereIn('id', old).delete()) === BATCH_SIZE
}
