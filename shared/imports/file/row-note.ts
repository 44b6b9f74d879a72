/** A fault or warning about a row, or about one cell of it. */
export interface RowNote {
  severity: 'error' | 'warning'
  line: number
  /** The name of the column in the file; null if the note is about the whole row. */
  field: string | null
  message: string
  value: string | null
}

const MAX_ECHO = 200

/** Creates a fault. Its value is shortened, and control characters are removed. */
export const rowFault = (line: number, field: string | null, message: string, value = ''): RowNote => ({
  severity: 'error',
  line,
  field,
  message,
  value:
    value === ''
      ? null
      : value
          .replace(/\p{Cc}+/gu, ' ')
          .slice(0, MAX_ECHO)
          .toWellFormed(),
})

/** Creates a warning. The row is imported, but the cell may be a mistake. */
export const rowWarning = (...args: Parameters<typeof rowFault>): RowNote => ({
  ...rowFault(...args),
  severity: 'warning',
})
