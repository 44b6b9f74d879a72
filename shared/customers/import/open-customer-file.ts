import { readRecords } from '#shared/imports/file/read-records.ts'
import type { ImportJob } from '#shared/imports/import-job.ts'
import { openUpload } from '#shared/imports/upload-chunks.ts'
import type { Store } from '#shared/stores/store.ts'
import { readCustomerHeader } from './read-customer-header.ts'
import type { CustomerFileSettings } from './read-customer-row.ts'

/** Opens the file of a started import after its imported rows. */
export function openCustomerFile(job: ImportJob, store: Store) {
  const { start, columns, delimiter, bytes } = openUpload(job)
  const settings: CustomerFileSettings = {
    header: readCustomerHeader(columns, job.settings.mapping),
    currency: store.currency,
    decimalComma: false,
    languages: store.languages,
    language: store.defaultLanguage,
  }
  return { start, records: readRecords(bytes, start, delimiter), settings }
}
