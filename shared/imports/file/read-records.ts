import { setImmediate } from 'node:timers/promises'
import { type CsvError, type Parser, parse } from 'csv-parse'
import type { CsvRecord, FilePosition } from './csv-record.ts'
import { UnreadableFile } from './errors.ts'
import { RecordCollector, type RecordInfo } from './record-collector.ts'

const MAX_ROW_BYTES = 1024 * 1024
const TOO_LONG = 'CSV_MAX_RECORD_SIZE'
// The parser takes one piece in one turn of the event loop. A larger piece of tiny rows would block it.
const PIECE_BYTES = 4 * 1024

/** Reads CSV (RFC 4180, any line break) from a position on. Throws `UnreadableFile` at a row that is not CSV. */
export async function* readRecords(
  source: AsyncIterable<Buffer>,
  from: FilePosition,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  const collector = new RecordCollector(from)
  const parser = createParser(from, delimiter, collector)
  let fedBytes = 0
  let rowStart = 0
  let emptyLinesBefore = 0
  for await (const piece of inPieces(source)) {
    const fault = await feed(parser, piece)
    const { empty_lines: emptyLines } = parser.info
    const records = collector.take()
    yield* records
    if (fault) throw unreadable(fault, collector.lineAfter(emptyLines) + 1)
    fedBytes += piece?.length ?? 0
    // The parser's own limit counts no delimiters, so it allows a row of any number of empty cells.
    if (records.length > 0 || emptyLines > emptyLinesBefore) rowStart = fedBytes
    emptyLinesBefore = emptyLines
    if (fedBytes - rowStart > MAX_ROW_BYTES) throw unreadable({ code: TOO_LONG }, collector.line + 1)
    if (piece && isOnlyLineFeeds(piece)) yield* collector.takeEmptyLines(emptyLines, fedBytes)
    await setImmediate()
  }
}

/** Returns bytes in memory as the source of `readRecords`. */
export async function* oneOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

function createParser(from: FilePosition, delimiter: string, collector: RecordCollector): Parser {
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
    // The parser's stream would lose the rows before a fault.
    on_record: (cells: string[], info: RecordInfo) => collector.add(cells, info),
  })
  parser.on('error', () => {})
  return parser
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
    `The row on line ${line} ${FAULTS[code] ?? 'is not CSV'}. The rows before it are imported. Correct the row and ` +
      'import the file again.',
  )
}
