import { importProductBatch } from '#shared/catalog/import/import-product-batch.ts'
import { importProducts as job } from '#shared/catalog/import/jobs.ts'
import { openFile } from '#shared/catalog/import/open-file.ts'
import { countSearchedCharacters } from '#shared/catalog/import/rows/count-searched-characters.ts'
import { readProductRow, withoutRepeatedCells } from '#shared/catalog/import/rows/read-product-row.ts'
import { handleImport } from '#workers/imports/handle-import.ts'

/** Imports a product file. */
export const importProducts = handleImport(job, (started, store) => {
  const { settings, ...file } = openFile(started, store)
  return {
    ...file,
    read: (record) => readProductRow(record, settings),
    shorten: withoutRepeatedCells,
    countIndexed: countSearchedCharacters,
    importBatch: (tx, batch) => importProductBatch(tx, started.id, batch, settings),
  }
})
