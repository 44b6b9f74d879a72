import { type CellReader, OPTION_PLACES, type RowFault } from './cells.ts'

/** The product cells of a row. Null: the cell is blank, and the product keeps its value. */
export interface ProductCells {
  title: string | null
  html: string | null
  vendor: string | null
  type: string | null
  tags: string[] | null
  isActive: boolean | null
  seoTitle: string | null
  seoDescription: string | null
  /** Three names, by position. */
  optionNames: (string | null)[]
  faults: RowFault[]
}

/** Reads the product cells of a row. Faults are collected by the reader. */
export function readProductCells(reader: CellReader): ProductCells {
  const published = reader.boolean('Published')
  const status = reader.word('Status', ['active', 'draft', 'archived'])
  return {
    title: reader.text('Title', 255),
    html: reader.text('Body (HTML)', 100_000),
    vendor: reader.text('Vendor', 255),
    type: reader.text('Type', 255),
    tags: readTags(reader),
    isActive:
      published === null && status === null ? null : published !== false && (status ?? 'active') === 'active',
    seoTitle: reader.text('SEO Title', 500),
    seoDescription: reader.text('SEO Description', 2_000),
    optionNames: OPTION_PLACES.map((place) => reader.text(`Option${place} Name`, 100)),
    faults: reader.faults,
  }
}

const MAX_TAGS = 250
const MAX_TAG = 100

function readTags(reader: CellReader): string[] | null {
  const text = reader.text('Tags', 20_000)
  if (text === null) return null
  const tags = [...new Set(text.split(',').map((tag) => tag.trim()))].filter(Boolean)
  if (tags.length > MAX_TAGS) return reader.fault('Tags', `Use at most ${MAX_TAGS} tags`, text)
  const long = tags.find((tag) => tag.length > MAX_TAG)
  return long ? reader.fault('Tags', `Use at most ${MAX_TAG} characters a tag`, long) : tags
}
