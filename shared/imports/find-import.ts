import type { Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { ImportJob, type ImportKind } from './import-job.ts'
import { ImportNote } from './import-note.ts'

/**
 * Returns an import with one page of its errors and warnings by line, and their total number. Throws
 * `resource.not_found`.
 */
export async function findImport(
  tx: StoreTx,
  jobId: string,
  kind: ImportKind,
  { page, page_size }: Paged,
): Promise<{ job: ImportJob; notes: ImportNote[]; total: number }> {
  const job = assertFound(await ImportJob.in(tx).where({ id: jobId, kind }).first())
  const { results, total } = await ImportNote.in(tx)
    .where('job_id', jobId)
    .orderBy('line')
    .orderBy('id')
    .page(page - 1, page_size)
  return { job, notes: results, total }
}
