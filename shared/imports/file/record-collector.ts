import type { InfoRecord } from 'csv-parse'
import type { CsvRecord, FilePosition } from './csv-record.ts'

const LINE_BREAK = /\r\n|\n|\r/g

/** What the parser reports of a row: the bytes and empty lines up to its end. */
export type RecordInfo = InfoRecord & { bytes: number }

/** Collects the rows that the parser reads, each with its position in the file. */
export class RecordCollector {
  readonly #from: FilePosition
  #records: CsvRecord[] = []
  /** The empty lines before `line` that the parser has skipped. */
  #emptyLines = 0
  /** The last line of the last row. */
  line: number

  constructor(from: FilePosition) {
    this.#from = from
    this.line = from.line
  }

  /** Adds a row. Returns null, so that the parser's stream does not contain it. */
  add(cells: string[], { bytes, empty_lines }: RecordInfo): null {
    const skipped = empty_lines - this.#emptyLines
    this.#emptyLines = empty_lines
    const line = this.line + skipped + 1
    this.line = line + cells.reduce((breaks, cell) => breaks + lineBreaks(cell), 0)
    const end = { byte: this.#from.byte + bytes, line: this.line }
    this.#records.push({ cells, line, end, ...(skipped ? { emptyLines: skipped } : {}) })
    return null
  }

  /** Returns the collected rows, and forgets them. */
  take(): CsvRecord[] {
    const records = this.#records
    this.#records = []
    return records
  }

  /** Returns the line that the parser has reached after it has skipped `emptyLines` in all. */
  lineAfter(emptyLines: number): number {
    return this.line + emptyLines - this.#emptyLines
  }

  /**
   * Yields one row for skipped empty lines, so that their progress is recorded. The parser has got `fedBytes` so far.
   */
  *takeEmptyLines(emptyLines: number, fedBytes: number): Generator<CsvRecord> {
    const skipped = emptyLines - this.#emptyLines
    if (skipped === 0) return
    this.line = this.lineAfter(emptyLines)
    this.#emptyLines = emptyLines
    const end = { byte: this.#from.byte + fedBytes, line: this.line }
    yield { cells: [''], line: this.line, end, emptyLines: skipped }
  }
}

const lineBreaks = (cell: string): number => {
  if (!cell.includes('\n') && !cell.includes('\r')) return 0
  return cell.match(LINE_BREAK)?.length ?? 0
}
