import { setImmediate } from 'node:timers/promises'
import { type CsvError, type InfoRecord, type Parser, parse } from 'csv-parse'
import { UnreadableFile } from './errors.ts'

/** The cells of a row, its first line, and the position after it. */
export interface CsvRecord {
  cells: string[]
  line: number
  end: FilePosition
  /** The number of empty lines before the row. */
  emptyLines?: number
  /** The reason why the cells are not read and the row is not imported. */
  fault?: string
  /** Says which parts of the row are not imported. */
  warning?: string
}

/** Whether a row has no text. */
export const isBlank = ({ cells, fault }: CsvRecord): boolean =>
  fault === undefined && cells.every((cell) => cell.trim() === '')

/** A position in the file: the number of bytes and lines before it. */
export interface FilePosition {
  byte: number
  line: number
}

const MAX_ROW_BYTES = 1024 * 1024
const TOO_LONG = 'CSV_MAX_RECORD_SIZE'
const LINE_BREAK = /\r\n|\n|\r/g
// The parser takes one piece without a pause. A larger piece of tiny rows or empty lines would block the event loop.
const PIECE_BYTES = 4 * 1024

/** Reads CSV (RFC 4180, any line break) from a position on. Throws `UnreadableFile` at a row that is not CSV. */
export async function* readRecords(
  source: AsyncIterable<Buffer>,
  from: FilePosition,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  let read: CsvRecord[] = []
  let { line } = from
  let emptyLines = 0
  let fed = 0
  let [rowStart, allEmptyLines] = [0, 0]
  // Collect rows by `on_record`, because the parser's stream loses the rows before a fault.
  const parser = parse({
    delimiter,
    bom: from.byte === 0,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_ROW_BYTES,
    // Otherwise the parser creates an error for each row that is shorter than the first one: a million errors for a
    // million empty lines.
    skip_empty_lines: true,
    on_record(cells: string[], { bytes, empty_lines }: InfoRecord & { bytes: number }) {
      const skipped = empty_lines - emptyLines
      emptyLines = empty_lines
      const start = line + skipped + 1
      line = start + cells.reduce((breaks, cell) => breaks + lineBreaks(cell), 0)
      const end = { byte: from.byte + bytes, line }
      read.push({ cells, line: start, end, ...(skipped ? { emptyLines: skipped } : {}) })
      return null
    },
  })
  parser.on('error', () => {})
  for await (const piece of inPieces(source)) {
    const fault = await feed(parser, piece)
    const records = read
    read = []
    yield* records
    if (fault) throw unreadable(fault, line + parser.info.empty_lines - emptyLines + 1)
    fed += piece?.length ?? 0
    // The parser counts no delimiters, so a row of empty cells has no limit there.
    if (records.length > 0 || parser.info.empty_lines > allEmptyLines)
      [rowStart, allEmptyLines] = [fed, parser.info.empty_lines]
    if (fed - rowStart > MAX_ROW_BYTES) throw unreadable({ code: TOO_LONG }, line + 1)
    // The parser yields no row for empty lines, so report their progress here.
    const skipped = parser.info.empty_lines - emptyLines
    if (skipped > 0 && piece && isOnlyLineFeeds(piece)) {
      emptyLines += skipped
      line += skipped
      yield { cells: [''], line, end: { byte: from.byte + fed, line }, emptyLines: skipped }
    }
    await setImmediate()
  }
}

/** Returns the bytes in small pieces, then null. */
async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  for await (const chunk of source)
    for (let from = 0; from < chunk.length; from += PIECE_BYTES)
      yield chunk.subarray(from, from + PIECE_BYTES)
  yield null
}

const isOnlyLineFeeds = (piece: Buffer): boolean =>
  piece.length === PIECE_BYTES && piece.every((byte) => byte === 10)

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
  [TOO_LONG]: 'is longer than 1 MB, or starts a quoted text that does not end',
}

function unreadable({ code }: Pick<CsvError, 'code'>, line: number): UnreadableFile {
  return new UnreadableFile(
    `The row on line ${line} ${FAULTS[code] ?? 'is not CSV'}. The rows before it are imported. Correct the row and import the file again.`,
  )
}
