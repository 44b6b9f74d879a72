/** The formats of files. `mapped`: the request assigns the columns. */
export const IMPORT_FORMATS = ['own', 'shopify', 'woocommerce', 'mapped'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** Columns of the own format, by their name in the file. */
export type ColumnMapping = Record<string, string>

/** The columns of a file. `Column` is a column of the own format. */
export interface FileHeader<Column extends string = string> {
  format: ImportFormat
  /** The index of each known column. */
  at: Partial<Record<Column, number>>
  /** The names in the file, by index. */
  names: string[]
  /** The names of columns that are not imported. */
  ignored: string[]
}

/** Returns the file's name of a column. A column that the file does not have keeps its own name. */
export const columnNameIn = <Column extends string>(
  { at, names }: FileHeader<Column>,
  column: Column,
): string => names[at[column] ?? -1] ?? column
