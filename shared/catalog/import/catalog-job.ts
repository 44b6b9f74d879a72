import { StoreModel } from '#shared/platform/db/model.ts'
import type { CatalogJobStatus } from './states.ts'

/**
 * A file of products on its way into the catalog. `bytesDone` and `linesDone` are how far it has come: they rise in
 * the transaction that writes what stands up to there, so whoever goes on goes on from there.
 */
export class CatalogJob extends StoreModel {
  static override tableName = 'catalog_jobs'

  declare kind: 'import'
  declare status: CatalogJobStatus
  declare dryRun: boolean
  /** The file's header, once it was read. */
  declare columns: string[] | null
  declare bytesTotal: number
  declare bytesDone: number
  declare linesDone: number
  declare productsCreated: number
  declare productsUpdated: number
  declare variantsCreated: number
  declare variantsUpdated: number
  declare errorCount: number
  /** Why it failed, for people. */
  declare failure: string | null
  declare createdBy: string | null
  declare createdAt: Date
  declare startedAt: Date | null
  declare finishedAt: Date | null
}

/** A fault of the file: the line it stands on (from 1), the column if it is one cell's, and that cell's text. */
export class CatalogJobError extends StoreModel {
  static override tableName = 'catalog_job_errors'

  declare jobId: string
  declare line: number
  declare field: string | null
  declare message: string
  declare value: string | null
}
