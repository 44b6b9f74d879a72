import type { Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { CatalogJob, CatalogJobError } from './catalog-job.ts'

/** A job of the store with one page of its errors, in the order of the file, and their number. Throws `resource.not_found`. */
export async function readCatalogJob(
  tx: StoreTx,
  jobId: string,
  { page, page_size }: Paged,
): Promise<{ job: CatalogJob; errors: CatalogJobError[]; total: number }> {
  const job = await CatalogJob.in(tx).where('id', jobId).first()
  if (!job) throw CommonErrors.notFound()
  const { results, total } = await CatalogJobError.in(tx)
    .where('job_id', jobId)
    .orderBy('line')
    .orderBy('id')
    .page(page - 1, page_size)
  return { job, errors: results, total }
}
