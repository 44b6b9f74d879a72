import { parse } from 'csv-parse/sync'
import { type CsvRecord, type FilePosition, isBlank } from '#shared/imports/file/csv-record.ts'
import { oneOf, readRecords } from '#shared/imports/file/read-records.ts'
import { pauseInTurns } from '#shared/platform/time/pause-in-turns.ts'
import type { WooColumns } from './woo-header.ts'
import type { RecordPosition, WooIndex, WooProduct } from './woo-index.ts'
import { toRows } from './woo-rows.ts'

/** Reads a part of the file. */
export type ReadBytes = (from: number, length: number) => Promise<Buffer>

interface WooFile {
  index: WooIndex
  columns: WooColumns
  delimiter: string
  decimalComma: boolean
  readBytes: ReadBytes
}

/**
 * Reads a WooCommerce file as rows of the own format, each product before its variations. Positions count the bytes and
 * lines of rows in this sequence, after the header. `from` skips the rows before it.
 */
export async function* readWooRecords(
  { index, columns, delimiter, decimalComma, readBytes }: WooFile,
  header: FilePosition,
  from: FilePosition,
): AsyncGenerator<CsvRecord> {
  let end = header
  const pause = pauseInTurns()
  for (const { position, product, parent } of inOrder(index)) {
    const start = end
    end = { byte: start.byte + position.length, line: Math.max(start.line, position.line) }
    if (end.byte <= from.byte) continue
    const { line } = position
    if (!product) {
      yield { cells: [], line, end, fault: orphanFault(parent) }
      continue
    }
    const cells = await readCells(await readBytes(position.byte, position.length), position, delimiter)
    const converted = toRows(cells, product, columns, decimalComma)
    if ('fault' in converted) yield { cells, line, end, fault: converted.fault }
    else
      for (const [i, row] of converted.rows.entries()) {
        const isLast = i === converted.rows.length - 1
        const warning = i === 0 ? converted.warning : null
        yield { cells: row, line, end: isLast ? end : start, ...(warning ? { warning } : {}) }
        // One row of a file can become 49,000 rows, one for each of its images.
        await pause()
      }
  }
}

/** A row of this length is parsed in one turn of the event loop. One of a megabyte would take 450 ms. */
const SHORT_BYTES = 16 * 1024

/** Parses the row at a position. */
async function readCells(bytes: Buffer, { byte, line }: FilePosition, delimiter: string): Promise<string[]> {
  if (bytes.length > SHORT_BYTES) {
    for await (const record of readRecords(oneOf(bytes), { byte, line }, delimiter))
      if (!isBlank(record)) return record.cells
    return []
  }
  const [cells = []] = parse(bytes, {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  }) as string[][]
  return cells
}

interface Step {
  position: RecordPosition
  product?: WooProduct
  parent: string
}

function* inOrder({ products, orphans }: WooIndex): Generator<Step> {
  for (const product of products) {
    yield { position: product.position, product, parent: '' }
    for (const position of product.variations) yield { position, product, parent: '' }
  }
  for (const orphan of orphans) yield orphan
}

const orphanFault = (parent: string): string =>
  parent
    ? `The file has no product "${parent}", to which this variation belongs. Export the products together with their ` +
      'variations'
    : 'The variation names no product in the column Parent'
