import { writeList } from '#shared/catalog/import/own-format/cell-lists.ts'
import { WOO_ROW, type WooColumns } from './woo-header.ts'
import { isVariation, type WooProduct } from './woo-index.ts'

/** The rows of the own format for one row, or the reason why it is not imported. */
export type WooRows = { rows: string[][]; warning: string | null } | { fault: string }

type Cells = Partial<Record<(typeof WOO_ROW)[number], string>>

/**
 * Converts the row of a product or variation. The first resulting row has its texts and prices, and each further image
 * has its own row.
 */
export function toRows(
  cells: string[],
  product: WooProduct,
  columns: WooColumns,
  decimalComma: boolean,
): WooRows {
  const { at } = columns
  const cell = (index: number | undefined) => (cells[index ?? -1] ?? '').trim()
  const type = cell(at.type).toLowerCase()
  if (/grouped|external/.test(type))
    return { fault: `A product of the type "${type}" has no price and stock of its own, and is not imported` }
  if (cell(at.image_url).length > MAX_LIST)
    return { fault: `The images take more than ${MAX_LIST} characters. Keep the URLs that the product needs` }
  const row = {
    cell,
    columns,
    images: splitList(cell(at.image_url)),
    attributes: attributeValues(cells, columns),
    variant: type.includes('variable') ? {} : variantCells(cell, columns, decimalComma),
  }
  return isVariation(type) ? variationRows(row, product) : productRows(row, product)
}

/** The parts of a row of the file. */
interface RowParts {
  cell: ReadCell
  columns: WooColumns
  images: string[]
  /** The values of the row by attribute. */
  attributes: Map<string, string>
  /** The cells of the variant; empty for a product that has variations. */
  variant: Cells
}

/** The value of an option whose value the buyer chooses in WooCommerce. */
const ANY = 'Any'

/** Returns the row of a variation, with its values of the product's options. */
function variationRows(
  { cell, columns: { at }, images, attributes, variant }: RowParts,
  { slug, options }: WooProduct,
): WooRows {
  const active = isOn(cell(at.is_active))
  const row = { slug, variant_image_url: images[0] ?? '', variant_is_active: active, ...variant }
  const values = options.flatMap((name) => ['', attributes.get(name) ?? ANY])
  const withoutValue = options.filter((name) => !attributes.has(name))
  const warning =
    `This variation is for any value of ${withoutValue.join(' and ')}. It got the value "${ANY}". Make a variant for ` +
    'each value that buyers shall choose'
  return { rows: [[...toOwnRow(row), ...values]], warning: withoutValue.length ? warning : null }
}

/** Returns the row of a product, with the names of its options, and a row for each further image. */
function productRows(
  { cell, columns, images, attributes, variant }: RowParts,
  { slug, options }: WooProduct,
): WooRows {
  const row = { slug, ...productCells(cell, columns, images), ...variant }
  const names = options.flatMap((name) => [name, ''])
  const furtherImages = images.slice(1).map((url) => toOwnRow({ slug, image_url: url }))
  const ignored = [...attributes.keys()].filter((name) => !options.includes(name))
  const warning =
    `These attributes do not tell variants apart and are not imported: ${ignored.join(', ')}. Enter them as ` +
    'attributes of the product'
  return { rows: [[...toOwnRow(row), ...names], ...furtherImages], warning: ignored.length ? warning : null }
}

/** Returns the cells in the sequence of the own format's columns. */
const toOwnRow = (cells: Cells): string[] => WOO_ROW.map((column) => cells[column] ?? '')

// A cell can have a megabyte of commas. Half a million images or tags would block the process and fill its memory.
const MAX_LIST = 100_000

/** Converts a list to the own format. A list that is too long stays as it is; the reader of the row refuses it. */
const toOwnList = (text: string): string => (text.length > MAX_LIST ? text : writeList(splitList(text)))

type ReadCell = (index: number | undefined) => string

const productCells = (cell: ReadCell, { at, shortDescription }: WooColumns, images: string[]): Cells => ({
  name: cell(at.name),
  description: unescapeBreaks(cell(at.description) || cell(shortDescription)),
  manufacturer: splitList(cell(at.manufacturer).slice(0, MAX_LIST))[0] ?? '',
  categories: toOwnList(cell(at.categories)),
  tags: toOwnList(cell(at.tags)),
  is_active: isOn(cell(at.is_active)),
  image_url: images[0] ?? '',
})

function variantCells(cell: ReadCell, columns: WooColumns, decimalComma: boolean): Cells {
  const { at, inStock, gramsPerUnit } = columns
  const stock = /^-?\d/.test(cell(at.stock_on_hand)) ? cell(at.stock_on_hand) : ''
  const backorder = /^(1|yes|notify)$/i.test(cell(at.backorder))
  // Without a number the shop does not count stock: a product in stock can always be sold.
  const isUncounted = stock === '' && cell(inStock) === '1'
  return {
    sku: cell(at.sku),
    barcode: cell(at.barcode),
    price: cell(at.price),
    sale_price: cell(at.sale_price),
    sale_starts_at: cell(at.sale_starts_at),
    sale_ends_at: cell(at.sale_ends_at),
    weight_grams: toGrams(cell(at.weight_grams), gramsPerUnit, decimalComma),
    stock_on_hand: stock,
    backorder: String(backorder || isUncounted),
  }
}

/** Returns the attributes of a row that have a value. */
function attributeValues(cells: string[], { attributes }: WooColumns): Map<string, string> {
  return new Map(
    attributes.flatMap(({ name, value }): [string, string][] => {
      const [named = '', valued = ''] = [cells[name]?.trim(), cells[value]?.trim()]
      return named && valued ? [[named, valued]] : []
    }),
  )
}

const isOn = (published: string): string => (published === '' ? '' : String(published === '1'))

/** Converts a weight to grams. Text that is no number stays, so that the fault shows it. */
function toGrams(weight: string, gramsPerUnit: number, decimalComma: boolean): string {
  const number = Number(decimalComma ? weight.replace(',', '.') : weight)
  if (weight === '' || Number.isNaN(number)) return weight
  return String(Math.round(number * gramsPerUnit))
}

/** Splits a cell at commas. A comma in an item has a backslash before it. */
const splitList = (text: string): string[] =>
  text
    .split(/(?<!\\),/)
    .map((item) => item.replaceAll('\\,', ',').trim())
    .filter(Boolean)

/** Converts `\n` to line breaks, as WooCommerce writes them. */
const unescapeBreaks = (text: string): string => text.replaceAll('\\n', '\n')
