import type { CsvRecord } from './csv-record.ts'
import type { FileHeader } from './header.ts'
import { type RowNote, rowFault } from './row-note.ts'

/** Returns the fault of a row that has more cells than the header; null for any other row. */
export function widthFault({ cells, line }: CsvRecord, { names }: FileHeader): RowNote | null {
  const width = names.length
  if (cells.slice(width).every((cell) => cell.trim() === '')) return null
  return rowFault(
    line,
    null,
    `The row has ${cells.length} cells and the header ${width}: is a quote missing?`,
  )
}

/** Whether the end of a row is missing. Other faults of such a row usually have the same cause. */
export const isShort = ({ cells }: CsvRecord, { names }: FileHeader): boolean => cells.length < names.length

/** Returns the fault of a row whose end is missing. */
export const shortFault = ({ cells, line }: CsvRecord, { names }: FileHeader): RowNote =>
  rowFault(
    line,
    null,
    `The row has only ${cells.length} of ${names.length} cells: is there a line break without quotes, or another ` +
      'separator?',
    cells.join(' '),
  )
