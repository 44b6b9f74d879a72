import {
  type Header,
  MAX_OPTIONS,
  optionColumn,
  TRANSLATED,
  type TranslatedColumn,
  type Translation,
} from '#shared/catalog/import/own-format/columns.ts'
import { wooHeader } from '#shared/catalog/import/woocommerce/woo-header.ts'
import { ImportFileErrors } from '#shared/imports/file/errors.ts'
import type { ColumnMapping, ImportFormat } from '#shared/imports/file/header.ts'
import { mapColumns, matchHeader } from '#shared/imports/file/match-header.ts'
import { MAX_LANGUAGES } from '#shared/platform/http/schema.ts'
import { FORMATS, OWN_NAMES } from './formats.ts'

/**
 * Finds the format and columns of a file by its first row. Throws `import.unknown_header` with the nearest format and
 * the missing columns. Throws `import.unknown_column` for a mapped column that is not in the file, or for a target that
 * is not in the own format.
 */
export function readHeader(cells: string[], mapping: ColumnMapping | null): Header {
  return mapping ? readMapped(cells, mapping) : readKnown(cells)
}

function readKnown(cells: string[]): Header {
  const { format, at } = matchHeader(cells, FORMATS)
  const header = toHeader(cells, format, at)
  return format === 'woocommerce' ? wooHeader(header) : header
}

function readMapped(cells: string[], mapping: ColumnMapping): Header {
  const at = mapColumns(cells, mapping, OWN_NAMES, isTranslation)
  if (at.slug === undefined && at.name === undefined)
    throw ImportFileErrors.unknownHeader({ nearest: 'mapping', missing: 'slug or name' })
  const mapped = cells.map((cell) => mapping[cell.trim()] ?? cell)
  return { ...toHeader(mapped, 'mapped', at), names: cells.map((cell) => cell.trim()) }
}

// The texts of 20,000 columns in many rows would fill the memory.
const MAX_TRANSLATIONS = MAX_LANGUAGES * TRANSLATED.length

function toHeader(cells: string[], format: ImportFormat, at: Header['at']): Header {
  const names = cells.map((cell) => cell.trim())
  const translations =
    format === 'shopify' || format === 'woocommerce'
      ? []
      : names.flatMap((name, index) => translationOf(name, index) ?? []).slice(0, MAX_TRANSLATIONS)
  const read = new Set([...Object.values(at), ...translations.map(({ index }) => index)])
  return {
    format,
    at,
    translations,
    names,
    optionIndexes: Array.from({ length: MAX_OPTIONS }, (_, index) => index).filter(
      (index) => at[optionColumn(index, 'value')] !== undefined,
    ),
    ignored: names.filter((name, index) => name && !read.has(index)),
  }
}

const LANGUAGE = /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/

function isTranslation(name: string): boolean {
  const [column = '', language = '', ...rest] = name.split(':')
  return TRANSLATED.includes(column as TranslatedColumn) && LANGUAGE.test(language) && !rest.length
}

function translationOf(name: string, index: number): Translation | null {
  if (!isTranslation(name)) return null
  const [column = '', language = ''] = name.split(':')
  return { column: column as TranslatedColumn, language, index }
}
