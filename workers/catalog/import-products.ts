import { importProductBatch } from '#shared/catalog/import/import-product-batch.ts'
import { importProducts as job } from '#shared/catalog/import/jobs.ts'
import { openFile } from '#shared/catalog/import/open-file.ts'
import { readProductRow, withoutRepeatedCells } from '#shared/catalog/import/rows/read-product-row.ts'
import { searchedLength } from '#shared/catalog/import/rows/searched-length.ts'
import { handleImport } from '#workers/imports/handle-import.ts'

/** Imports a product file. */
export const importProducts = handleImport(job, (started, store) => {
  const { settings, ...file } = openFile(started, store)
  return {
    ...file,
    read: (record) => readProductRow(record, settings),
    shorten: withoutRepeatedCells,
    indexedLength: searchedLength,
    importBatch: (tx, batch) => importProductBatch(tx, started.id, batch, settings),
  }
})
