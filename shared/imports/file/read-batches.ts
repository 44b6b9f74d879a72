import { type CsvRecord, type FilePosition, isBlank } from './csv-record.ts'
import { UnreadableFile } from './errors.ts'
import type { RowNote } from './row-note.ts'

/** A part of the file that one transaction imports. Its rows are grouped by their record, in file order. */
export interface Batch<Row> {
  groups: Map<string, Row[]>
  /** The faults of rows without a group. */
  faults: RowNote[]
  /** The number of rows without any text. */
  blankRows: number
  start: FilePosition
  end: FilePosition
  rowCount: number
  /** The number of indexed characters. */
  indexedCharacters: number
  lastKey: string | null
}

/** The settings for reading the rows of a file. */
export interface RowFormat<Row> {
  /** Reads a row and the key of its group. Returns a fault if the row belongs to no group. */
  read(record: CsvRecord): { row: Row; key: string } | { fault: RowNote }
  /** Drops the parts of a row that are not used after the rows `before` it in its group. They would fill the memory. */
  shorten?(row: Row, before: readonly Row[]): Row
  /** Returns the number of characters of a row that its transaction indexes for searches. */
  countIndexed?(row: Row): number
}

const MAX_GROUPS = 200
const MAX_ROWS = 1_000
// A batch ends after this many blank rows, so that their progress is recorded too.
const MAX_BLANK_ROWS = 500_000
const MAX_BYTES = 4 * 1024 * 1024
// A batch locks its records until their texts are indexed, and checkouts wait for them: 2 million characters take 4 to
// 12 s. A single group may exceed this number.
const MAX_INDEXED_CHARACTERS = 100_000
/**
 * One batch has all rows of a group, but at most this many rows and bytes. The largest possible product, with some
 * 2,300 variants, takes up to 50 ms to plan.
 */
const MAX_ROWS_PER_GROUP = 2_500
const MAX_BYTES_PER_GROUP = 8 * 1024 * 1024

/**
 * Reads the file from a position on, in batches of whole groups, so that memory use does not grow with the file. Before
 * it throws `UnreadableFile`, it yields the rows before the fault.
 */
export async function* readBatches<Row>(
  records: AsyncIterable<CsvRecord>,
  start: FilePosition,
  { read, shorten = (row) => row, countIndexed = () => 0 }: RowFormat<Row>,
): AsyncGenerator<Batch<Row>> {
  let batch: Batch<Row> = emptyBatch(start)
  let fault: UnreadableFile | null = null
  try {
    for await (const record of records) {
      const found = isBlank(record) ? null : read(record)
      const characters = found && 'row' in found ? countIndexed(found.row) : 0
      if (isFull(batch, found, characters)) {
        yield batch
        batch = emptyBatch(batch.end)
      }
      if (found) addRow(batch, found, { shorten, countIndexed })
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

const emptyBatch = <Row>(start: FilePosition): Batch<Row> => ({
  groups: new Map(),
  faults: [],
  blankRows: 0,
  start,
  end: start,
  rowCount: 0,
  indexedCharacters: 0,
  lastKey: null,
})

type Found<Row> = ReturnType<RowFormat<Row>['read']>

/** Whether the batch ends before a row, which has so many indexed characters. `found` is null for a blank row. */
function isFull<Row>(
  { groups, start, end, rowCount, blankRows, indexedCharacters, lastKey }: Batch<Row>,
  found: Found<Row> | null,
  characters: number,
): boolean {
  if (found === null) return blankRows >= MAX_BLANK_ROWS && rowCount === 0
  const bytes = end.byte - start.byte
  if (rowCount >= MAX_ROWS_PER_GROUP || bytes >= MAX_BYTES_PER_GROUP) return true
  const continuesGroup = 'key' in found && found.key === lastKey
  if (continuesGroup) return false
  if (groups.size >= MAX_GROUPS || rowCount >= MAX_ROWS || bytes >= MAX_BYTES) return true
  return groups.size > 0 && indexedCharacters + characters > MAX_INDEXED_CHARACTERS
}

function addRow<Row>(
  batch: Batch<Row>,
  found: Found<Row>,
  { shorten, countIndexed }: Required<Pick<RowFormat<Row>, 'shorten' | 'countIndexed'>>,
): void {
  batch.rowCount += 1
  if ('fault' in found) {
    batch.faults.push(found.fault)
    return
  }
  batch.lastKey = found.key
  const rows = batch.groups.get(found.key) ?? []
  const row = rows.length > 0 ? shorten(found.row, rows) : found.row
  batch.groups.set(found.key, rows)
  rows.push(row)
  batch.indexedCharacters += countIndexed(row)
}
