import { deleteUpload } from '#shared/imports/upload-chunks.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { transitionImport } from './transition-import.ts'

type Outcome = { status: 'succeeded' } | { status: 'failed'; failure: string }

/** Completes or fails an import, and deletes the file. Imported records stay. */
export async function endImport(tx: StoreTx, jobId: string, { status, ...outcome }: Outcome): Promise<void> {
  const ended = await transitionImport(tx, jobId, status, { failure: null, ...outcome, finishedAt: now() })
  if (ended) await deleteUpload(tx, jobId)
}
