import { ImportFileErrors } from './errors.ts'
import type { ColumnMapping, FileHeader, ImportFormat } from './header.ts'

/** A format that is found by its header. Names are compared without regard to case. */
export interface KnownFormat<Column extends string> {
  format: ImportFormat
  title: string
  /** Columns by their names in the file. */
  names: Record<string, Column>
  /** Columns without which a file is not of this format. */
  required: Column[]
  /** The name in `names` of a column that the format has in other languages too. */
  translate?: (name: string) => string
}

type Places<Column extends string> = FileHeader<Column>['at']

/** The format of a file, and where its columns are. */
export interface MatchedHeader<Column extends string> {
  format: ImportFormat
  at: Places<Column>
}

/**
 * Finds the format of a file by its first row. Throws `import.unknown_header` with the nearest format and what the file
 * lacks of it.
 */
export function matchHeader<Column extends string>(
  cells: string[],
  formats: KnownFormat<Column>[],
): MatchedHeader<Column> {
  const candidates = formats
    .map((known) => ({ known, at: matchColumns(cells.map(known.translate ?? String), known.names) }))
    .map((match) => ({ ...match, missing: match.known.required.filter((c) => match.at[c] === undefined) }))
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

/** Where the columns are, by their names in the file. Of two with one name the first is taken. */
export function matchColumns<Column extends string>(
  cells: string[],
  names: Record<string, Column>,
): Places<Column> {
  const columns = new Map(Object.entries(names).map(([name, column]) => [nameOf(name), column]))
  const at: Places<Column> = {}
  cells.forEach((cell, index) => {
    const column = columns.get(nameOf(cell))
    if (column && at[column] === undefined) at[column] = index
  })
  return at
}

/**
 * Where the columns that a request names are, and the others that have a name of the own format. Throws
 * `import.unknown_column` for a column that the file or the own format does not have. `isOther`: a column that is none
 * of `names` and yet the own format's.
 */
export function mapColumns<Column extends string>(
  cells: string[],
  mapping: ColumnMapping,
  names: Record<string, Column>,
  isOther: (column: string) => boolean = () => false,
): Places<Column> {
  const at = matchColumns(cells, names)
  const places = firstPlaces(cells)
  for (const [name, own] of Object.entries(mapping)) {
    const index = places.get(nameOf(name))
    if (index === undefined) throw ImportFileErrors.unknownColumn({ column: name, of: 'file' })
    if (Object.hasOwn(names, own)) at[own as Column] = index
    else if (!isOther(own)) throw ImportFileErrors.unknownColumn({ column: own, of: 'own format' })
  }
  return at
}

/** The place of each name; of two columns with one name that of the first. */
const firstPlaces = (cells: string[]): Map<string, number> =>
  new Map(cells.map((cell, index): [string, number] => [nameOf(cell), index]).reverse())

const nameOf = (cell: string): string => cell.trim().toLowerCase()

const noFormat = <Column extends string>(cells: string[], formats: KnownFormat<Column>[]) => ({
  nearest: 'none',
  missing: formats
    .map((known) => known.required.map((column) => spelling(known, column)).join(', '))
    .join(' or '),
  first: cells.slice(0, 5).join(' | ').slice(0, 200),
})

/** The name of a column in a format. */
const spelling = <Column extends string>({ names }: KnownFormat<Column>, column: Column): string =>
  Object.entries(names).find(([, own]) => own === column)?.[0] ?? column
