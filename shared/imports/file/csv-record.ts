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
