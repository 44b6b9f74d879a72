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

const Count = Type.Integer({ minimum: 0 })

const jobProperties = {
  id: Uuid,
  kind: Type.Enum(['import']),
  status: Type.Enum([...CATALOG_JOB_STATUSES]),
  dry_run: Type.Boolean({ description: 'The file is only checked; nothing is imported' }),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'The imported part of the file' }),
  bytes_total: Count,
  lines_done: Count,
  products_created: Count,
  products_updated: Type.Integer({ minimum: 0, description: 'Existing ones that are in the file' }),
  variants_created: Count,
  variants_updated: Type.Integer({ minimum: 0, description: 'Existing ones that are in the file' }),
  error_count: Count,
  failure: Type.String({ description: 'Why the import stopped before the end of the file' }),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
}

export const CatalogJobView = Shape(jobProperties)

const RowErrorView = Shape({
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
  kind: job.kind,
  status: job.status,
  dry_run: job.dryRun,
  progress: job.status === 'succeeded' ? 1 : progressOf(job),
  bytes_total: job.bytesTotal,
  lines_done: job.linesDone,
  products_created: job.productsCreated,
  products_updated: job.productsUpdated,
  variants_created: job.variantsCreated,
  variants_updated: job.variantsUpdated,
  error_count: job.errorCount,
  failure: toText(job.failure),
  created_at: toTimestamp(job.createdAt),
  started_at: toTimestampOrNull(job.startedAt),
  finished_at: toTimestampOrNull(job.finishedAt),
})

const progressOf = ({ bytesDone, bytesTotal }: CatalogJob): number =>
  bytesTotal === 0 ? 0 : Math.round((bytesDone / bytesTotal) * 1000) / 1000

/** A job with a page of its errors. */
export const viewReport = (job: CatalogJob, errors: CatalogJobError[]): Static<typeof CatalogJobReport> => ({
  ...viewCatalogJob(job),
  errors: errors.map(({ line, field, message, value }) => ({
    line,
    field: toText(field),
    message,
    value: toText(value),
  })),
})
