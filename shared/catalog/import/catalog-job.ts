import { List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page, Paged } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Transitions } from '#shared/platform/states.ts'
import type { ImportFormat } from './columns.ts'
import type { Encoding } from './decode-file.ts'

/** The kinds of files: products and customers. */
export const CATALOG_JOB_KINDS = ['import', 'customers'] as const

/** How the caller wants a file to be read. */
export interface ImportOptions {
  /** Numbers are written like 1.299,50. */
  decimalComma: boolean
  /** A SKU that another variant has is replaced by one that is made of it. */
  renamesDuplicates: boolean
  /** The columns of the own format by their names in the file; null: the format is found by the header. */
  mapping: Record<string, string> | null
}

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
  static override jsonAttributes = ['settings']

  declare kind: (typeof CATALOG_JOB_KINDS)[number]
  declare status: CatalogJobStatus
  declare dryRun: boolean
  declare settings: ImportOptions
  /** The header of the file; null until it is read. */
  declare columns: string[] | null
  declare format: ImportFormat | null
  declare encoding: Encoding | null
  declare delimiter: string | null
  declare ignoredColumns: string[]
  /** Rows without any text. */
  declare rowsIgnored: number
  declare bytesTotal: number
  declare bytesDone: number
  declare linesDone: number
  declare productsCreated: number
  declare productsUpdated: number
  /** Of the updated ones, those that differ from the file. */
  declare productsChanged: number
  declare variantsCreated: number
  declare variantsUpdated: number
  declare variantsChanged: number
  declare customersCreated: number
  declare customersUpdated: number
  declare customersChanged: number
  declare errorCount: number
  declare warningCount: number
  /** The reason of a failure, for people. */
  declare failure: string | null
  declare createdBy: string | null
  declare createdAt: Date
  declare startedAt: Date | null
  declare finishedAt: Date | null
}

/** A fault or a warning: its line (from 1), and the column and text of the faulty cell if it is one cell's. */
export class CatalogJobError extends StoreModel {
  static override tableName = 'catalog_job_errors'

  declare jobId: string
  declare severity: 'error' | 'warning'
  declare line: number
  declare field: string | null
  declare message: string
  declare value: string | null
}

/** The list of jobs. */
export const CATALOG_JOBS = new List({
  sorts: { created_at: 'created_at' },
  order: '-created_at',
  searches: 'Part of the kind, the format or the failure',
  text: ['kind', 'format', 'failure'],
  updatedAt: 'coalesce(finished_at, started_at, created_at)',
})

export interface CatalogJobFilter extends ListFilter {
  status?: CatalogJobStatus
}

/** One page of the jobs of a kind. */
export function listCatalogJobs(
  tx: StoreTx,
  kind: CatalogJob['kind'],
  { status, ...filter }: CatalogJobFilter,
): PromiseLike<Page<CatalogJob>> {
  const matching = CatalogJob.in(tx).where({ kind, ...(status ? { status } : {}) })
  return CATALOG_JOBS.page(matching, filter)
}

/** A job with one page of its errors and warnings by line, and their total number. Throws `resource.not_found`. */
export async function findCatalogJob(
  tx: StoreTx,
  jobId: string,
  kind: CatalogJob['kind'],
  { page, page_size }: Paged,
): Promise<{ job: CatalogJob; errors: CatalogJobError[]; total: number }> {
  const job = await CatalogJob.in(tx).where({ id: jobId, kind }).first()
  if (!job) throw CommonErrors.notFound()
  const { results, total } = await CatalogJobError.in(tx)
    .where('job_id', jobId)
    .orderBy('line')
    .orderBy('id')
    .page(page - 1, page_size)
  return { job, errors: results, total }
}
