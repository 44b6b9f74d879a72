import type { FileSettings, RowNote } from './cells.ts'
import { UnreadableFile } from './errors.ts'
import { type CsvRecord, isBlank, type Position } from './read-records.ts'
import { type ImportRow, readRow } from './read-row.ts'

/** A part of the file that is imported in one transaction: rows by the slug of their product, in file order. */
export interface Batch {
  products: Map<string, ImportRow[]>
  /** The faults of rows that belong to no product. */
  faults: RowNote[]
  /** The number of rows without any text. */
  blankRows: number
  start: Position
  end: Position
  rowCount: number
  lastSlug: string | null
}

const MAX_PRODUCTS = 200
const MAX_ROWS = 1_000
// Progress is recorded among empty lines too.
const MAX_BLANK_ROWS = 500_000
const MAX_BYTES = 4 * 1024 * 1024
/** The rows of one product are in one batch, up to this number. */
const MAX_ROWS_PER_PRODUCT = 5_000

/**
 * Reads the file from a position on in batches of whole products, so that memory use does not grow with the file. Throws
 * `UnreadableFile` after the batch before the fault.
 */
export async function* readBatches(
  records: AsyncIterable<CsvRecord>,
  start: Position,
  file: FileSettings,
): AsyncGenerator<Batch> {
  let batch = emptyBatch(start)
  let fault: UnreadableFile | null = null
  try {
    for await (const record of records) {
      const row = isBlank(record) ? null : readRow(record, file)
      if (isFull(batch, row)) {
        yield batch
        batch = emptyBatch(batch.end)
      }
      if (row) add(batch, row)
      else if (record.emptyLines === undefined) batch.blankRows += 1
      batch.blankRows += record.emptyLines ?? 0
      batch.end = record.end
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    fault = error
  }
  if (batch.end.byte > batch.start.byte) yield batch
  if (fault) throw fault
}

const emptyBatch = (start: Position): Batch => ({
  products: new Map(),
  faults: [],
  blankRows: 0,
  start,
  end: start,
  rowCount: 0,
  lastSlug: null,
})

function isFull(
  { products, start, end, rowCount, blankRows, lastSlug }: Batch,
  row: ImportRow | RowNote | null,
): boolean {
  if (row === null) return blankRows >= MAX_BLANK_ROWS && rowCount === 0
  const startsProduct = !('slug' in row) || row.slug !== lastSlug
  const full = products.size >= MAX_PRODUCTS || rowCount >= MAX_ROWS || end.byte - start.byte >= MAX_BYTES
  return (startsProduct && full) || rowCount >= MAX_ROWS_PER_PRODUCT
}

function add(batch: Batch, row: ImportRow | RowNote): void {
  batch.rowCount += 1
  if (!('slug' in row)) {
    batch.faults.push(row)
    return
  }
  batch.lastSlug = row.slug
  const rows = batch.products.get(row.slug)
  if (rows) rows.push(row)
  else batch.products.set(row.slug, [row])
}
