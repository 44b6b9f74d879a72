import { stringify } from 'csv-stringify/sync'
import { guardCell, guardCode, guardText } from './guard-cell.ts'

export type CsvValue = string | number | bigint | boolean | Date | null

/** A column of a CSV file. */
export interface CsvColumn<Row> {
  name: string
  /**
   * Returns the value of a cell. A text is guarded against formulas, null is an empty cell, a boolean is `true` or
   * `false`, and a time is ISO 8601 in UTC.
   */
  value(row: Row): CsvValue
  /** Whether it is a code such as a SKU or barcode, whose digits a spreadsheet must not read as a number. */
  isCode?: true
  /** Whether an import keeps spaces at the start and end of the text. */
  isExact?: true
}

interface CsvContent<Row> {
  /** The file name without `.csv`, in ASCII. */
  name: string
  columns: readonly CsvColumn<Row>[]
  /** Batches of rows. An iterable that reads from the database opens a short transaction for each batch. */
  rows: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>
  totalRows: number
}

// Larger pieces would block the event loop for long.
const ROWS_PER_PIECE = 200

/**
 * A CSV file (RFC 4180, UTF-8, commas). It is written while it is sent, so that memory use does not grow with the file.
 */
export class CsvFile {
  readonly name: string
  /** The number of rows below the header. */
  readonly totalRows: number
  /** Yields the text of the file in pieces. */
  readonly text: () => AsyncGenerator<string>

  private constructor({ name, totalRows }: Pick<CsvFile, 'name' | 'totalRows'>, text: CsvFile['text']) {
    this.name = name
    this.totalRows = totalRows
    this.text = text
  }

  static of<Row>({ columns, rows, ...file }: CsvContent<Row>): CsvFile {
    return new CsvFile(file, () => writeText(columns, rows))
  }
}

async function* writeText<Row>(
  columns: CsvContent<Row>['columns'],
  batches: CsvContent<Row>['rows'],
): AsyncGenerator<string> {
  yield stringify([columns.map(({ name }) => guardCell(name))])
  for await (const rows of batches)
    for (let from = 0; from < rows.length; from += ROWS_PER_PIECE)
      yield stringify(rows.slice(from, from + ROWS_PER_PIECE).map((row) => cellsOf(row, columns)))
}

const cellsOf = <Row>(row: Row, columns: readonly CsvColumn<Row>[]): string[] =>
  columns.map((column) => toCell(column.value(row), guardOf(column)))

function guardOf({
  isCode,
  isExact,
}: Pick<CsvColumn<never>, 'isCode' | 'isExact'>): (text: string) => string {
  if (isCode) return guardCode
  return isExact ? guardText : guardCell
}

function toCell(value: CsvValue, guard: (text: string) => string): string {
  if (typeof value === 'string') return guard(value)
  if (value === null) return ''
  return value instanceof Date ? value.toISOString() : String(value)
}
