/** The formats of files. `mapped`: the request says which column is which. */
export const IMPORT_FORMATS = ['own', 'shopify', 'woocommerce', 'mapped'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** The columns of the own format by their names in the file. */
export type ColumnMapping = Record<string, string>

/** The columns of a file. `Column`: those of the own format. */
export interface FileHeader<Column extends string = string> {
  format: ImportFormat
  /** The index of each known column. */
  at: Partial<Record<Column, number>>
  /** The names in the file, by index. */
  names: string[]
  /** The names of columns that are not imported. */
  ignored: string[]
}

/** The name of a column in the file, or its own name when the file does not have it. */
export const columnNameIn = <Column extends string>(
  { at, names }: FileHeader<Column>,
  column: Column,
): string => names[at[column] ?? -1] ?? column
