import { ImportFileErrors } from './errors.ts'
import type { ColumnMapping, FileHeader, ImportFormat } from './header.ts'

/** A format that is recognized by its header. Letter case of names does not matter. */
export interface KnownFormat<Column extends string> {
  format: ImportFormat
  title: string
  /** The columns by their name in the file. */
  names: Record<string, Column>
  /** The columns that every file of this format has. */
  required: Column[]
  /** Translates a column from another language to its name in `names`. */
  translate?: (name: string) => string
}

type ColumnIndexes<Column extends string> = FileHeader<Column>['at']

/** The format of a file, and the indexes of its columns. */
export interface MatchedHeader<Column extends string> {
  format: ImportFormat
  at: ColumnIndexes<Column>
}

/**
 * Finds the format of a file by its first row. Throws `import.unknown_header` with the nearest format and the columns
 * that the file lacks.
 */
export function matchHeader<Column extends string>(
  cells: string[],
  formats: KnownFormat<Column>[],
): MatchedHeader<Column> {
  const candidates = formats
    .map((known) => matchFormat(cells, known))
    .sort((a, b) => Object.keys(b.at).length - Object.keys(a.at).length)
  const found = candidates.find(({ missing }) => missing.length === 0)
  if (found) return { format: found.known.format, at: found.at }
  const [nearest] = candidates
  if (!nearest || Object.keys(nearest.at).length === 0)
    throw ImportFileErrors.unknownHeader(noFormat(cells, formats))
  throw ImportFileErrors.unknownHeader({
    nearest: nearest.known.title,
    missing: nearest.missing.map((column) => spelling(nearest.known, column)).join(', '),
  })
}

/** Returns the columns of a format that the file has, and the required ones that it lacks. */
function matchFormat<Column extends string>(cells: string[], known: KnownFormat<Column>) {
  const at = matchColumns(cells.map(known.translate ?? String), known.names)
  return { known, at, missing: known.required.filter((column) => at[column] === undefined) }
}

/** Finds the indexes of columns by their names in the file. Of two columns with the same name it takes the first. */
export function matchColumns<Column extends string>(
  cells: readonly string[],
  names: Record<string, Column>,
): ColumnIndexes<Column> {
  const columns = new Map(Object.entries(names).map(([name, column]) => [nameOf(name), column]))
  const at: ColumnIndexes<Column> = {}
  cells.forEach((cell, index) => {
    const column = columns.get(nameOf(cell))
    if (column && at[column] === undefined) at[column] = index
  })
  return at
}

/**
 * Finds the indexes of the columns that a request maps, and of columns with a name of the own format. Throws
 * `import.unknown_column` for a mapped column that the file or the own format does not have. `isOther` recognizes
 * columns of the own format that are not in `names`.
 */
export function mapColumns<Column extends string>(
  cells: string[],
  mapping: ColumnMapping,
  names: Record<string, Column>,
  isOther: (column: string) => boolean = () => false,
): ColumnIndexes<Column> {
  const at = matchColumns(cells, names)
  const indexes = firstIndexes(cells)
  for (const [name, own] of Object.entries(mapping)) {
    const index = indexes.get(nameOf(name))
    if (index === undefined) throw ImportFileErrors.unknownColumn({ column: name, of: 'file' })
    if (Object.hasOwn(names, own)) at[own as Column] = index
    else if (!isOther(own)) throw ImportFileErrors.unknownColumn({ column: own, of: 'own format' })
  }
  return at
}

/** Returns the index of each name. Of two columns with the same name it is the index of the first. */
const firstIndexes = (cells: string[]): Map<string, number> =>
  new Map(cells.map((cell, index): [string, number] => [nameOf(cell), index]).reverse())

const nameOf = (cell: string): string => cell.trim().toLowerCase()

const noFormat = <Column extends string>(cells: string[], formats: KnownFormat<Column>[]) => ({
  nearest: 'none',
  missing: formats
    .map((known) => known.required.map((column) => spelling(known, column)).join(', '))
    .join(' or '),
  first: cells.slice(0, 5).join(' | ').slice(0, 200),
})

/** Returns the name of a column in a format. */
const spelling = <Column extends string>({ names }: KnownFormat<Column>, column: Column): string =>
  Object.entries(names).find(([, own]) => own === column)?.[0] ?? column
