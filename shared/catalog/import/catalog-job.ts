import type { Paged } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Transitions } from '#shared/platform/states.ts'

export const CATALOG_JOB_STATUSES = ['uploading', 'queued', 'running', 'succeeded', 'failed'] as const
export type CatalogJobStatus = (typeof CATALOG_JOB_STATUSES)[number]

export const CATALOG_JOB_TRANSITIONS: Transitions<CatalogJobStatus> = {
  uploading: ['queued'],
  queued: ['running'],
  running: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
}

/**
 * The import of a product file. `bytesDone` and `linesDone` are its progress: they are updated in the transaction that
 * saves the products of these lines, so a repeated job continues after them.
 */
export class CatalogJob extends StoreModel {
  static override tableName = 'catalog_jobs'

  declare kind: 'import'
  declare status: CatalogJobStatus
  declare dryRun: boolean
  /** The header of the file; null until it is read. */
  declare columns: string[] | null
  declare bytesTotal: number
  declare bytesDone: number
  declare linesDone: number
  declare productsCreated: number
  declare productsUpdated: number
  declare variantsCreated: number
  declare variantsUpdated: number
  declare errorCount: number
  /** The reason of a failure, for people. */
  declare failure: string | null
  declare createdBy: string | null
  declare createdAt: Date
  declare startedAt: Date | null
  declare finishedAt: Date | null
}

/** A fault in the file: its line (from 1), and the column and text of the faulty cell if it is one cell's. */
export class CatalogJobError extends StoreModel {
  static override tableName = 'catalog_job_errors'

  declare jobId: string
  declare line: number
  declare field: string | null
  declare message: string
  declare value: string | null
}

/** A job with one page of its errors by line, and their total number. Throws `resource.not_found`. */
export async function findCatalogJob(
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
