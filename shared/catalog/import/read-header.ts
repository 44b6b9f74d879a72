import {
  type Column,
  type Header,
  type ImportFormat,
  MAX_OPTIONS,
  optionColumn,
  TRANSLATED,
  type TranslatedColumn,
  type Translation,
} from './columns.ts'
import { ImportErrors } from './errors.ts'
import { FORMATS, type KnownFormat, OWN_NAMES } from './formats.ts'
import { WOO_NAMES, wooHeader } from './woocommerce/woo-header.ts'

/** The columns of the own format by their names in the file. */
export type ColumnMapping = Record<string, string>

/**
 * Reads the first row of a file: finds its format and its columns. Throws `import.unknown_header` with the nearest format
 * and what it lacks, and `import.unknown_column` for a mapping of a column that the file or the own format does not have.
 */
export function readHeader(cells: string[], mapping: ColumnMapping | null): Header {
  return mapping ? readMapped(cells, mapping) : readKnown(cells)
}

const nameOf = (cell: string): string => cell.trim().toLowerCase()

function readKnown(cells: string[]): Header {
  const candidates = FORMATS.map((known) => ({ known, ...matchColumns(cells, known.names) }))
    .map((match) => ({ ...match, missing: match.known.required.filter((c) => match.at[c] === undefined) }))
    .sort((a, b) => Object.keys(b.at).length - Object.keys(a.at).length)
  const found = candidates.find(({ missing }) => missing.length === 0)
  if (found) {
    const header = toHeader(cells, found.known.format, found.at)
    return header.format === 'woocommerce' ? wooHeader(header) : header
  }
  const [nearest] = candidates
  if (!nearest || Object.keys(nearest.at).length === 0) throw ImportErrors.unknownHeader(NO_FORMAT(cells))
  throw ImportErrors.unknownHeader({
    nearest: nearest.known.title,
    missing: nearest.missing.map((column) => spelling(nearest.known, column)).join(', '),
  })
}

const NO_FORMAT = (cells: string[]) => ({
  nearest: 'none',
  missing: FORMATS.map((known) => known.required.map((column) => spelling(known, column)).join(', ')).join(
    ' or ',
  ),
  first: cells.slice(0, 5).join(' | ').slice(0, 200),
})

/** The name of a column in a format. */
const spelling = ({ names }: KnownFormat, column: Column): string =>
  Object.entries(names).find(([, own]) => own === column)?.[0] ?? column

/** The header of a WooCommerce file as it is, not of the rows that it becomes. */
export const readWooHeader = (cells: string[]): Header =>
  toHeader(cells, 'woocommerce', matchColumns(cells, WOO_NAMES).at)

function matchColumns(cells: string[], names: Record<string, Column>): { at: Header['at'] } {
  const columns = new Map(Object.entries(names).map(([name, column]) => [nameOf(name), column]))
  const at: Header['at'] = {}
  cells.forEach((cell, index) => {
    const column = columns.get(nameOf(cell))
    if (column && at[column] === undefined) at[column] = index
  })
  return { at }
}

function readMapped(cells: string[], mapping: ColumnMapping): Header {
  const { at } = matchColumns(cells, OWN_NAMES)
  for (const [name, own] of Object.entries(mapping)) {
    const index = cells.findIndex((cell) => nameOf(cell) === nameOf(name))
    if (index < 0) throw ImportErrors.unknownColumn({ column: name, of: 'file' })
    if (!Object.hasOwn(OWN_NAMES, own) && !translationOf(own, index))
      throw ImportErrors.unknownColumn({ column: own, of: 'own format' })
    if (Object.hasOwn(OWN_NAMES, own)) at[own as Column] = index
  }
  if (at.slug === undefined && at.name === undefined)
    throw ImportErrors.unknownHeader({ nearest: 'the mapping', missing: 'slug or name' })
  const mapped = cells.map((cell) => mapping[cell.trim()] ?? cell)
  return { ...toHeader(mapped, 'mapped', at), names: cells.map((cell) => cell.trim()) }
}

function toHeader(cells: string[], format: ImportFormat, at: Header['at']): Header {
  const names = cells.map((cell) => cell.trim())
  const translations =
    format === 'shopify' || format === 'woocommerce'
      ? []
      : names.flatMap((name, index) => translationOf(name, index) ?? [])
  const read = new Set([...Object.values(at), ...translations.map(({ index }) => index)])
  return {
    format,
    at,
    translations,
    names,
    optionPlaces: Array.from({ length: MAX_OPTIONS }, (_, place) => place).filter(
      (place) => at[optionColumn(place, 'value')] !== undefined,
    ),
    ignored: names.filter((name, index) => name && !read.has(index)),
  }
}

const LANGUAGE = /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/

function translationOf(name: string, index: number): Translation | null {
  const [column = '', language = '', ...rest] = name.split(':')
  const isTranslated = TRANSLATED.includes(column as TranslatedColumn) && LANGUAGE.test(language)
  return isTranslated && !rest.length ? { column: column as TranslatedColumn, language, index } : null
}
