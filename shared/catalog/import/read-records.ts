import { type CsvError, type InfoRecord, type Parser, parse } from 'csv-parse'
import { UnreadableFile } from './errors.ts'

/** The cells of a row, its first line, and the position after it. */
export interface CsvRecord {
  cells: string[]
  line: number
  end: Position
}

/** A position in the file: the number of bytes and lines before it. */
export interface Position {
  byte: number
  line: number
}

const MAX_ROW_BYTES = 1024 * 1024
const LINE_BREAK = /\r\n|\n|\r/g

/** Reads CSV (RFC 4180, any line break) from a position on. Throws `UnreadableFile` at a row that is not CSV. */
export async function* readRecords(source: AsyncIterable<Buffer>, from: Position): AsyncGenerator<CsvRecord> {
  const read: CsvRecord[] = []
  let { line } = from
  // Rows are collected by `on_record`: the parser's stream would lose the rows before a fault.
  const parser = parse({
    bom: from.byte === 0,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_ROW_BYTES,
    on_record(cells: string[], { bytes }: InfoRecord & { bytes: number }) {
      const start = line + 1
      line = start + cells.reduce((breaks, cell) => breaks + lineBreaks(cell), 0)
      read.push({ cells, line: start, end: { byte: from.byte + bytes, line } })
      return null
    },
  })
  parser.on('error', () => {})
  let fault: CsvError | undefined
  for await (const chunk of source) {
    fault = await feed(parser, chunk)
    yield* read.splice(0)
    if (fault) throw unreadable(fault, line + 1)
  }
  fault = await feed(parser, null)
  yield* read.splice(0)
  if (fault) throw unreadable(fault, line + 1)
}

const lineBreaks = (cell: string): number => {
  if (!cell.includes('\n') && !cell.includes('\r')) return 0
  return cell.match(LINE_BREAK)?.length ?? 0
}

/** Writes a chunk to the parser, or ends it with null. Returns a parse error. */
const feed = (parser: Parser, chunk: Buffer | null): Promise<CsvError | undefined> =>
  new Promise((resolve) => {
    const done = (error?: Error | null) => resolve((error ?? undefined) as CsvError | undefined)
    if (chunk) parser.write(chunk, done)
    else parser.end(done)
  })

const FAULTS: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'starts a quoted text that does not end',
  CSV_MAX_RECORD_SIZE: 'is longer than 1 MB, or starts a quoted text that does not end',
}

function unreadable({ code }: CsvError, line: number): UnreadableFile {
  return new UnreadableFile(
    `The row on line ${line} ${FAULTS[code] ?? 'is not CSV'}. The rows before it are imported. Correct the row and import the file again.`,
  )
}
