/** A fault or warning about a row, or about one cell of it. */
export interface RowNote {
  severity: 'error' | 'warning'
  line: number
  /** The name of the column in the file; null if the note is about the whole row. */
  field: string | null
  message: string
  value: string | null
}

const MAX_VALUE = 200
// A message can quote a cell of a megabyte, and a page lists many notes, so messages are cut.
const MAX_MESSAGE = 1_000

const shorten = (text: string, maxLength: number): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, maxLength)
    .toWellFormed()

/** Creates a fault. Its message and its value are shortened, and control characters are removed. */
export const rowFault = (line: number, field: string | null, message: string, value = ''): RowNote => ({
  severity: 'error',
  line,
  field,
  message: shorten(message, MAX_MESSAGE),
  value: value === '' ? null : shorten(value, MAX_VALUE),
})

/** Creates a warning. The row is imported, but the cell may be a mistake. */
export const rowWarning = (...args: Parameters<typeof rowFault>): RowNote => ({
  ...rowFault(...args),
  severity: 'warning',
})
