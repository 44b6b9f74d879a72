import type { PlanSettings } from '#shared/catalog/import/plan/plan-product.ts'
import { type CsvRecord, type FilePosition, readRecords } from '#shared/imports/file/read-records.ts'
import type { ImportJob } from '#shared/imports/import-job.ts'
import { readUpload } from '#shared/imports/upload-chunks.ts'
import type { Store } from '#shared/stores/store.ts'
import { readHeader, readWooHeader } from './read-header.ts'
import { openWooFile } from './woocommerce/open-woo-file.ts'

/** The rest of an uploaded product file: its rows, the position before them, and how to read them. */
interface OpenFile {
  start: FilePosition
  records: AsyncIterable<CsvRecord>
  settings: PlanSettings
}

/** Opens the file of a started import behind the rows that are imported. */
export function openFile(job: ImportJob, store: Store): OpenFile {
  const { storeId, id, columns, delimiter, settings } = job
  if (!columns || !delimiter) throw new Error('The header of the file was not read')
  const start = { byte: job.bytesDone, line: job.linesDone }
  const header = readHeader(columns, settings.mapping)
  const { decimalComma = false, renamesDuplicates = false } = settings
  const upload = { storeId, jobId: id, delimiter, decimalComma }
  return {
    start,
    records:
      header.format === 'woocommerce'
        ? openWooFile(upload, readWooHeader(columns), start)
        : readRecords(readUpload(storeId, id, start.byte), start, delimiter),
    settings: {
      header,
      currency: store.currency,
      language: store.defaultLanguage,
      decimalComma,
      renamesDuplicates,
    },
  }
}
