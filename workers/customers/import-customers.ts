import { importCustomerBatch } from '#shared/customers/import/import-customer-batch.ts'
import { importCustomers as job } from '#shared/customers/import/jobs.ts'
import { openCustomerFile } from '#shared/customers/import/open-customer-file.ts'
import { readCustomerRow } from '#shared/customers/import/read-customer-row.ts'
import { handleImport } from '#workers/imports/handle-import.ts'

/** Imports a customer file. */
export const importCustomers = handleImport(job, (started, store) => {
  const { settings, ...file } = openCustomerFile(started, store)
  return {
    ...file,
    read: (record) => readCustomerRow(record, settings),
    importBatch: (tx, batch) => importCustomerBatch(tx, started.id, batch, settings),
  }
})
