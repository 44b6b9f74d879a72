import type { Encoding } from '#shared/imports/file/file-decoder.ts'
import type { ColumnMapping, ImportFormat } from '#shared/imports/file/header.ts'
import type { Batch } from '#shared/imports/file/read-batches.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { ImportStatus } from './states.ts'

/** The kind of records in a file. */
export type ImportKind = 'products' | 'customers'

/** The caller's settings for reading a file. */
export interface ImportOptions {
  /** The columns of the own format by their name in the file; null if the header decides on the format. */
  mapping: ColumnMapping | null
  /** Whether numbers are written like 1.299,50. */
  decimalComma?: boolean
  /** Whether a SKU that another variant has is replaced by one derived from it. */
  renamesDuplicates?: boolean
  /** Whether new customers get a mail with a link to choose a password. */
  sendsInvitations?: boolean
}

/** The most files of a store that are uploaded, wait or are imported at the same time. */
export const MAX_UNFINISHED_IMPORTS = 10

/** The most ignored columns that an import names, and the most characters of each name. A page has many imports. */
export const MAX_IGNORED_COLUMNS = 200
export const MAX_IGNORED_LENGTH = 100

/**
 * The import of a file. Its progress is `bytesDone`, `linesDone` and `counts`. The transaction that saves a batch
 * updates them, so a repeated job continues after this batch.
 */
export class ImportJob extends StoreModel {
  static override tableName = 'import_jobs'
  static override jsonAttributes = ['settings', 'counts']

  declare kind: ImportKind
  declare status: ImportStatus
  declare dryRun: boolean
  declare settings: ImportOptions
  /** The header of the file; null until it is read. */
  declare columns: string[] | null
  declare format: ImportFormat | null
  declare encoding: Encoding | null
  declare delimiter: string | null
  /** The first names of columns that are not imported, for staff to read. */
  declare ignoredColumns: string[]
  /** The number of rows without any text. */
  declare rowsIgnored: number
  declare bytesTotal: number
  declare bytesDone: number
  declare linesDone: number
  /** The number of the slice that is imported next. A job of an earlier slice is outdated and does nothing. */
  declare slice: number
  /** `bytesDone` at the last start by a worker; null before the first start, and while the import waits to continue. */
  declare attemptedByte: number | null
  /** The number of starts at `attemptedByte`. */
  declare attempts: number
  /** The numbers of created, updated and changed records. Its keys depend on the kind. */
  declare counts: Record<string, number>
  declare errorCount: number
  declare warningCount: number
  /** The reason of a failure, for staff to read. */
  declare failure: string | null
  declare createdBy: string | null
  declare createdAt: Date
  declare startedAt: Date | null
  declare finishedAt: Date | null
}

/** Locks a running import before a batch. Null if another worker has already imported this batch. */
export async function lockImport(
  tx: StoreTx,
  jobId: string,
  { start }: Batch<unknown>,
): Promise<ImportJob | null> {
  const job = await ImportJob.in(tx).where('id', jobId).first().forNoKeyUpdate()
  return job?.status === 'running' && job.bytesDone === start.byte ? job : null
}
