import { parseList } from '#shared/catalog/import/own-format/cell-lists.ts'
import {
  optionColumn,
  type ProductReader,
  type TranslatedColumn,
} from '#shared/catalog/import/own-format/columns.ts'
import { MAX_CATEGORY_LEVELS } from '#shared/catalog/taxonomy/category.ts'
import type { RowNote } from '#shared/imports/file/row-note.ts'

/** The product cells of a row. A blank cell is null, and the product keeps its value. */
export interface ProductCells {
  name: string | null
  description: string | null
  manufacturer: string | null
  /** Paths of category names from the top: `[['Clothing', 'Shirts']]`. */
  categories: string[][]
  tags: string[] | null
  isActive: boolean | null
  seoTitle: string | null
  seoDescription: string | null
  translations: { column: TranslatedColumn; language: string; text: string }[]
  /** The names of the options, by position. */
  optionNames: (string | null)[]
  faults: RowNote[]
}

export const BLANK_CELLS: ProductCells = {
  name: null,
  description: null,
  manufacturer: null,
  categories: [],
  tags: null,
  isActive: null,
  seoTitle: null,
  seoDescription: null,
  translations: [],
  optionNames: [],
  faults: [],
}

const MAX_LENGTHS: Record<TranslatedColumn, number> = {
  name: 300,
  description: 100_000,
  seo_title: 500,
  seo_description: 2_000,
}

/** Reads the product cells of a row. The reader collects the faults. */
export function readProductCells(reader: ProductReader): ProductCells {
  const isActive = readIsActive(reader)
  const text = (column: TranslatedColumn) => reader.text(column, MAX_LENGTHS[column])
  return {
    name: text('name'),
    description: text('description'),
    manufacturer: reader.text('manufacturer', 255),
    categories: readCategories(reader),
    tags: readTags(reader),
    isActive,
    seoTitle: text('seo_title'),
    seoDescription: text('seo_description'),
    translations: [...readTranslations(reader)],
    optionNames: reader.header.optionIndexes.map((index) => reader.text(optionColumn(index, 'name'), 100)),
    faults: reader.faults,
  }
}

/** Reads whether the product is active: it is published, and its status is `active`. A blank cell counts as yes. */
function readIsActive(reader: ProductReader): boolean | null {
  const published = reader.boolean('is_active')
  const status = reader.word('status', ['active', 'draft', 'archived', 'unlisted'])
  if (published === null && status === null) return null
  return published !== false && (status ?? 'active') === 'active'
}

/**
 * Reads the translations up to the end of the row. A file can have 120 columns with translations, and a million rows of
 * one cell.
 */
function* readTranslations(reader: ProductReader): Generator<ProductCells['translations'][number]> {
  for (const { column, language, index } of reader.header.translations) {
    if (index >= reader.width) return
    const text = reader.textAt(index, column, MAX_LENGTHS[column])
    if (text !== null) yield { column, language, text }
  }
}

const MAX_CATEGORIES = 100

/** Reads the paths of categories. Shopify's type is one category. */
function readCategories(reader: ProductReader): string[][] {
  const type = reader.text('type', 255)
  const text = reader.text('categories', 20_000)
  const paths = parseList(text ?? '').map(toPath)
  if (paths.length > MAX_CATEGORIES || paths.flat().some((name) => name.length > 255)) {
    reader.fault('categories', `Use at most ${MAX_CATEGORIES} categories of 255 characters`, text ?? '')
    return []
  }
  // A path becomes a path for each of its levels, so a cell of ten thousand levels would fill the memory.
  if (paths.some((path) => path.length > MAX_CATEGORY_LEVELS)) {
    reader.fault('categories', `Use at most ${MAX_CATEGORY_LEVELS} levels of categories`, text ?? '')
    return []
  }
  return [...(type === null ? [] : [[type]]), ...paths.filter((path) => path.length > 0)]
}

const toPath = (item: string): string[] =>
  item
    .split('>')
    .map((name) => name.trim())
    .filter(Boolean)

const MAX_TAGS = 250
const MAX_TAG = 100

function readTags(reader: ProductReader): string[] | null {
  const text = reader.text('tags', 30_000)
  if (text === null) return null
  const tags = [...new Set(parseList(text))]
  if (tags.length > MAX_TAGS) return reader.fault('tags', `Use at most ${MAX_TAGS} tags`, text)
  const long = tags.find((tag) => tag.length > MAX_TAG)
  return long ? reader.fault('tags', `Use at most ${MAX_TAG} characters a tag`, long) : tags
}
