import type { PlanSettings } from '#shared/catalog/import/plan/plan-product.ts'
import { openWooFile } from '#shared/catalog/import/woocommerce/open-woo-file.ts'
import { readWooColumns } from '#shared/catalog/import/woocommerce/woo-header.ts'
import type { CsvRecord, FilePosition } from '#shared/imports/file/csv-record.ts'
import { readRecords } from '#shared/imports/file/read-records.ts'
import type { ImportJob } from '#shared/imports/import-job.ts'
import { openUpload } from '#shared/imports/upload-chunks.ts'
import type { Store } from '#shared/stores/store.ts'
import { readHeader } from './read-header.ts'

/** The unread part of an uploaded product file: its rows, the position before them, and the settings to read them. */
interface OpenFile {
  start: FilePosition
  records: AsyncIterable<CsvRecord>
  settings: PlanSettings
}

/** Opens the file of a started import after its imported rows. */
export function openFile(job: ImportJob, store: Store): OpenFile {
  const { storeId, id: jobId, settings } = job
  const { start, columns, delimiter, bytes } = openUpload(job)
  const header = readHeader(columns, settings.mapping)
  const { decimalComma = false, renamesDuplicates = false } = settings
  return {
    start,
    records:
      header.format === 'woocommerce'
        ? openWooFile({ storeId, jobId, delimiter, decimalComma }, readWooColumns(columns), start)
        : readRecords(bytes, start, delimiter),
    settings: {
      header,
      currency: store.currency,
      language: store.defaultLanguage,
      decimalComma,
      renamesDuplicates,
    },
  }
}
