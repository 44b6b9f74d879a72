import { UnreadableFile } from './errors.ts'

/** The columns that an import reads, with the names of Shopify's product export. Other columns are ignored. */
export const COLUMNS = [
  'Handle',
  'Title',
  'Body (HTML)',
  'Vendor',
  'Type',
  'Tags',
  'Published',
  'Status',
  'Option1 Name',
  'Option1 Value',
  'Option2 Name',
  'Option2 Value',
  'Option3 Name',
  'Option3 Value',
  'Variant SKU',
  'Variant Grams',
  'Variant Inventory Tracker',
  'Variant Inventory Qty',
  'Variant Inventory Policy',
  'Variant Price',
  'Variant Compare At Price',
  'Variant Barcode',
  'Variant Image',
  'Image Src',
  'Image Position',
  'Image Alt Text',
  'SEO Title',
  'SEO Description',
] as const
export type Column = (typeof COLUMNS)[number]

const REQUIRED: Column[] = ['Handle', 'Title', 'Variant Price']

/** The index of each known column, and the number of cells of a row. */
export interface Header {
  at: Partial<Record<Column, number>>
  width: number
}

/** Reads the first row of the file. Throws `UnreadableFile` when a required column is missing. */
export function readHeader(cells: string[]): Header {
  const names = cells.map((cell) => cell.trim().toLowerCase())
  const at: Header['at'] = {}
  for (const column of COLUMNS) {
    const index = names.indexOf(column.toLowerCase())
    if (index >= 0) at[column] = index
  }
  const missing = REQUIRED.filter((column) => at[column] === undefined)
  if (missing.length)
    throw new UnreadableFile(
      `The first line must name the columns, separated by commas. Missing: ${missing.join(', ')}.`,
    )
  return { at, width: cells.length }
}
