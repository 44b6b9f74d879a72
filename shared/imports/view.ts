import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { ENCODINGS } from '#shared/imports/file/file-decoder.ts'
import { IMPORT_FORMATS } from '#shared/imports/file/header.ts'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { type ImportJob, MAX_IGNORED_COLUMNS, MAX_IGNORED_LENGTH } from './import-job.ts'
import type { ImportNote } from './import-note.ts'
import { IMPORT_STATUSES } from './states.ts'

export const Count = Type.Integer({ minimum: 0 })
export const Updated = Type.Integer({ minimum: 0, description: 'Existing ones that are in the file' })
export const Changed = Type.Integer({ minimum: 0, description: 'Of the updated ones, those that differ' })

/** The fields of every import except its counts. */
const importProperties = {
  id: Uuid,
  status: Type.Enum([...IMPORT_STATUSES]),
  dry_run: Type.Boolean({ description: 'The file is only checked; nothing is imported' }),
  format: Nullable(Type.Enum([...IMPORT_FORMATS])),
  encoding: Nullable(Type.Enum([...ENCODINGS])),
  delimiter: Type.String({ description: 'The character between the cells' }),
  ignored_columns: Type.Array(Type.String(), {
    description:
      `Columns that are not imported: the first ${MAX_IGNORED_COLUMNS}, shortened to ` +
      `${MAX_IGNORED_LENGTH} characters`,
  }),
  rows_ignored: Type.Integer({ minimum: 0, description: 'Rows without any text' }),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'The imported part of the file' }),
  bytes_total: Count,
  lines_done: Count,
  error_count: Count,
  warning_count: Count,
  failure: Type.String({ description: 'Why the import stopped before the end of the file' }),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
}

const ImportProperties = Shape(importProperties)

export const ImportNoteView = Shape({
  severity: Type.Enum(['error', 'warning'], { description: 'A row with a warning is imported' }),
  line: Type.Integer({ minimum: 1, description: 'The line in the file; the header is line 1' }),
  field: Type.String({ description: 'The column; empty: the whole row' }),
  message: Type.String(),
  value: Type.String({ description: 'The text of the cell, shortened' }),
})

/** The errors of a report. */
const noteProperties = {
  errors: Type.Array(ImportNoteView, {
    description: 'One page, by line. They are deleted 30 days after the import',
  }),
}

const viewImport = (job: ImportJob): Static<typeof ImportProperties> => ({
  id: job.id,
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
  error_count: job.errorCount,
  warning_count: job.warningCount,
  failure: toText(job.failure),
  created_at: toTimestamp(job.createdAt),
  started_at: toTimestampOrNull(job.startedAt),
  finished_at: toTimestampOrNull(job.finishedAt),
})

function progressOf({ status, bytesDone, bytesTotal }: ImportJob): number {
  if (status === 'succeeded') return 1
  const isStarted = status === 'running' || status === 'failed'
  return isStarted && bytesTotal > 0 ? Math.round((bytesDone / bytesTotal) * 1000) / 1000 : 0
}

const viewNotes = (notes: ImportNote[]): Static<typeof ImportNoteView>[] =>
  notes.map(({ severity, line, field, message, value }) => ({
    severity,
    line,
    field: toText(field),
    message,
    value: toText(value),
  }))

/** The views of the imports of a kind. A report has a page of the errors too. */
export interface ImportViews {
  View: TSchema
  Report: TSchema
  view: (job: ImportJob) => object
  report: (job: ImportJob, notes: ImportNote[]) => object
}

/** Returns the views of the imports of a kind, named by a title: the fields of every import, then its own. */
export const importViews = <P extends TProperties>(
  title: string,
  properties: P,
  viewOwn: (job: ImportJob) => Static<TObject<P>>,
): ImportViews => ({
  View: Shape({ ...importProperties, ...properties }, { title }),
  Report: Shape({ ...importProperties, ...properties, ...noteProperties }, { title: `${title}Report` }),
  view: (job) => ({ ...viewImport(job), ...viewOwn(job) }),
  report: (job, notes) => ({ ...viewImport(job), ...viewOwn(job), errors: viewNotes(notes) }),
})
