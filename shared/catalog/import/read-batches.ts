import type { RowFault } from './cells.ts'
import { type Header, readHeader } from './columns.ts'
import { UnreadableFile } from './errors.ts'
import { type CsvRecord, type Position, readRecords } from './read-records.ts'
import { type ImportRow, readRow } from './read-row.ts'

/** A part of the file that is imported in one transaction: rows by the slug of their product, in file order. */
export interface Batch {
  products: Map<string, ImportRow[]>
  /** The faults of rows that belong to no product. */
  faults: RowFault[]
  /** The header, in the batch that contains it. */
  columns: string[] | null
  start: Position
  end: Position
  rowCount: number
  lastSlug: string | null
}

const MAX_PRODUCTS = 200
const MAX_ROWS = 1_000
const MAX_BYTES = 4 * 1024 * 1024
/** The rows of one product are in one batch, up to this number. */
const MAX_ROWS_PER_PRODUCT = 5_000

interface From extends Position {
  /** The header of the file; null before it is read. */
  columns: string[] | null
}

/**
 * Reads the file from a position on in batches of whole products, so that memory use does not grow with the file. Throws
 * `UnreadableFile` after the batch before the fault.
 */
export async function* readBatches(
  source: AsyncIterable<Buffer>,
  { columns, ...start }: From,
  currency: string,
): AsyncGenerator<Batch> {
  let header = columns && readHeader(columns)
  let batch = emptyBatch(start)
  let fault: UnreadableFile | null = null
  try {
    for await (const record of readRecords(source, start)) {
      const row = header && !isBlank(record) ? readRow(record, header, currency) : null
      if (row && isFull(batch, row)) {
        yield batch
        batch = emptyBatch(batch.end)
      }
      if (row) add(batch, row)
      else if (!isBlank(record)) header = readHeaderInto(batch, record)
      batch.end = record.end
    }
    if (!header) readHeader([])
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
  columns: null,
  start,
  end: start,
  rowCount: 0,
  lastSlug: null,
})

const isBlank = ({ cells }: CsvRecord): boolean => cells.length === 1 && cells[0]?.trim() === ''

function readHeaderInto(batch: Batch, { cells }: CsvRecord): Header {
  const header = readHeader(cells)
  batch.columns = cells
  return header
}

function isFull({ products, start, end, rowCount, lastSlug }: Batch, row: ImportRow | RowFault): boolean {
  const startsProduct = !('slug' in row) || row.slug !== lastSlug
  const full = products.size >= MAX_PRODUCTS || rowCount >= MAX_ROWS || end.byte - start.byte >= MAX_BYTES
  return (startsProduct && full) || rowCount >= MAX_ROWS_PER_PRODUCT
}

function add(batch: Batch, row: ImportRow | RowFault): void {
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
