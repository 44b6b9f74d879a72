import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import type { CsvRecord, FilePosition } from './csv-record.ts'
import { ImportFileErrors, UnreadableFile } from './errors.ts'
import { oneOf, readRecords } from './read-records.ts'

/** The separator of a file, its header, and the position after the header. */
export interface FileStart {
  delimiter: string
  columns: string[]
  end: FilePosition
}

const DELIMITERS = [',', ';', '\t', '|']
// Excel's first line that names the separator: `sep=;`.
const SEPARATOR_LINE = /^"?sep=(\P{Cc}|\t)"?\r?\n/iu

/**
 * Finds the separator and the header in the first bytes of a file. Names have no NUL characters, which PostgreSQL
 * cannot store. Throws `import.empty`.
 */
export async function inspectStart(start: Buffer): Promise<FileStart> {
  const text = start.toString('utf8')
  const stated = SEPARATOR_LINE.exec(text)
  const from = { byte: stated ? Buffer.byteLength(stated[0]) : 0, line: stated ? 1 : 0 }
  const delimiter = stated?.[1] ?? (await likelyDelimiter(text))
  const header = await firstRecord(start.subarray(from.byte), from, delimiter)
  if (!header) throw ImportFileErrors.empty()
  const columns = header.cells.map((name) => name.replaceAll('\0', ''))
  return { delimiter, columns, end: header.end }
}

async function firstRecord(start: Buffer, from: FilePosition, delimiter: string): Promise<CsvRecord | null> {
  try {
    for await (const record of readRecords(oneOf(start), from, delimiter))
      if (record.cells.some((cell) => cell.trim() !== '')) return record
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    // A quoted cell of the header does not end in the first bytes.
    throw ImportFileErrors.unreadableHeader({ line: from.line + 1 })
  }
  return null
}

/**
 * Returns the separator that splits the first line into the most cells. Of equal ones it takes the first. A separator
 * can take 20 ms to try, so other work runs after each.
 */
async function likelyDelimiter(start: string): Promise<string> {
  const line = /^\s*(.*)/.exec(start)?.[1]?.slice(0, 20_000) ?? ''
  let best = { delimiter: ',', count: 0 }
  for (const delimiter of DELIMITERS) {
    const count = countCells(line, delimiter)
    if (count > best.count) best = { delimiter, count }
    await setImmediate()
  }
  return best.delimiter
}

/** Returns the number of cells of a line; 0 if the line is not CSV with this separator. */
function countCells(line: string, delimiter: string): number {
  try {
    const [row = []] = parse(line, { delimiter, relax_quotes: true, to: 1 }) as string[][]
    return row.length
  } catch {
    return 0
  }
}
