import { type Static, Type } from 'typebox'
import {
  Nullable,
  Shape,
  Timestamp,
  toText,
  toTimestamp,
  toTimestampOrNull,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { CATALOG_JOB_STATUSES, type CatalogJob, type CatalogJobError } from './catalog-job.ts'
import { IMPORT_FORMATS } from './columns.ts'
import { ENCODINGS } from './decode-file.ts'

const Count = Type.Integer({ minimum: 0 })

const jobProperties = {
  id: Uuid,
  kind: Type.Enum(['import']),
  status: Type.Enum([...CATALOG_JOB_STATUSES]),
  dry_run: Type.Boolean({ description: 'The file is only checked; nothing is imported' }),
  format: Nullable(Type.Enum([...IMPORT_FORMATS])),
  encoding: Nullable(Type.Enum([...ENCODINGS])),
  delimiter: Type.String({ description: 'The separator of the cells' }),
  ignored_columns: Type.Array(Type.String(), { description: 'Columns that are not imported' }),
  rows_ignored: Type.Integer({ minimum: 0, description: 'Rows without any text' }),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'The imported part of the file' }),
  bytes_total: Count,
  lines_done: Count,
  products_created: Count,
  products_updated: Type.Integer({ minimum: 0, description: 'Existing ones that are in the file' }),
  products_changed: Type.Integer({ minimum: 0, description: 'Of the updated ones, those that differ' }),
  variants_created: Count,
  variants_updated: Type.Integer({ minimum: 0, description: 'Existing ones that are in the file' }),
  variants_changed: Type.Integer({ minimum: 0, description: 'Of the updated ones, those that differ' }),
  error_count: Count,
  warning_count: Count,
  failure: Type.String({ description: 'Why the import stopped before the end of the file' }),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
}

export const CatalogJobView = Shape(jobProperties)

const RowErrorView = Shape({
  severity: Type.Enum(['error', 'warning'], { description: 'A row with a warning is imported' }),
  line: Type.Integer({ minimum: 1, description: 'The line in the file; the header is line 1' }),
  field: Type.String({ description: 'The column; empty: the whole row' }),
  message: Type.String(),
  value: Type.String({ description: 'The text of the cell, shortened' }),
})

export const CatalogJobReport = Shape({
  ...jobProperties,
  errors: Type.Array(RowErrorView, { description: 'One page, by line' }),
})

/** A job as staff see it. */
export const viewCatalogJob = (job: CatalogJob): Static<typeof CatalogJobView> => ({
  id: job.id,
  kind: 'import',
  status: job.status,
  dry_run: job.dryRun,
  format: job.format,
  encoding: job.encoding,
  delimiter: toText(job.delimiter),
  ignored_columns: job.ignoredColumns,
  rows_ignored: job.rowsIgnored,
  progress: progressOf(job),
  bytes_total: job.bytesTotal,
  lines_done: job.linesDone,
  products_created: job.productsCreated,
  products_updated: job.productsUpdated,
  products_changed: job.productsChanged,
  variants_created: job.variantsCreated,
  variants_updated: job.variantsUpdated,
  variants_changed: job.variantsChanged,
  error_count: job.errorCount,
  warning_count: job.warningCount,
  failure: toText(job.failure),
  created_at: toTimestamp(job.createdAt),
  started_at: toTimestampOrNull(job.startedAt),
  finished_at: toTimestampOrNull(job.finishedAt),
})

function progressOf({ status, bytesDone, bytesTotal }: CatalogJob): number {
  if (status === 'succeeded') return 1
  const isStarted = status === 'running' || status === 'failed'
  return isStarted && bytesTotal > 0 ? Math.round((bytesDone / bytesTotal) * 1000) / 1000 : 0
}

/** A job with a page of its errors. */
export const viewReport = (job: CatalogJob, errors: CatalogJobError[]): Static<typeof CatalogJobReport> => ({
  ...viewCatalogJob(job),
  errors: errors.map(({ severity, line, field, message, value }) => ({
    severity,
    line,
    field: toText(field),
    message,
    value: toText(value),
  })),
})
