import { readRecords } from '#shared/imports/file/read-records.ts'
import type { ImportJob } from '#shared/imports/import-job.ts'
import { readUpload } from '#shared/imports/upload-chunks.ts'
import type { Store } from '#shared/stores/store.ts'
import { readCustomerHeader } from './read-header.ts'
import type { CustomerFileSettings } from './read-row.ts'

/** Opens the file of a started import behind the rows that are imported. */
export function openCustomerFile(job: ImportJob, store: Store) {
  const { storeId, id, columns, delimiter, settings } = job
  if (!columns || !delimiter) throw new Error('The header of the file was not read')
  const start = { byte: job.bytesDone, line: job.linesDone }
  const read: CustomerFileSettings = {
    header: readCustomerHeader(columns, settings.mapping),
    currency: store.currency,
    decimalComma: false,
    languages: store.languages,
    language: store.defaultLanguage,
  }
  return {
    start,
    records: readRecords(readUpload(storeId, id, start.byte), start, delimiter),
    settings: read,
  }
}
