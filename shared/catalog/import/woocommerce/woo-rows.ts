import { writeList } from '#shared/catalog/import/own-format/cell-lists.ts'
import { WOO_ROW, type WooColumns } from './woo-header.ts'
import { isVariation, type WooProduct } from './woo-index.ts'

/** The rows of the own format that a row becomes, or why it is not imported. */
export type WooRows = { rows: string[][]; warning: string | null } | { fault: string }

type Cells = Partial<Record<(typeof WOO_ROW)[number], string>>

/**
 * Makes the rows of a product or of one of its variations: one with its texts and prices, and one for each further
 * image.
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
  const images = splitList(cell(at.image_url))
  const isVariant = isVariation(type)
  const values = attributeValues(cells, columns)
  const row: Cells = {
    slug: product.slug,
    ...(isVariant
      ? { variant_image_url: images[0] ?? '', variant_is_active: isOn(cell(at.is_active)) }
      : productCells(cell, columns, images)),
    ...(type.includes('variable') ? {} : variantCells(cell, columns, decimalComma)),
  }
  const options = product.options.flatMap((name) => [
    isVariant ? '' : name,
    isVariant ? (values.get(name) ?? ANY) : '',
  ])
  const own = [...WOO_ROW.map((column) => row[column] ?? ''), ...options]
  const others = isVariant ? [] : images.slice(1)
  const plain = isVariant ? [] : [...values.keys()].filter((name) => !product.options.includes(name))
  const open = isVariant ? product.options.filter((name) => !values.has(name)) : []
  return {
    rows: [own, ...others.map((url) => imageRow(product.slug, url))],
    warning: warningOf(plain, open),
  }
}

/** The value of an option for which WooCommerce lets the buyer choose any value. */
const ANY = 'Any'

function warningOf(plain: string[], open: string[]): string | null {
  if (plain.length)
    return `These attributes do not tell variants apart and are not imported: ${plain.join(', ')}. Enter them as attributes of the product`
  return open.length
    ? `This variation is for any value of ${open.join(' and ')}. It got the value "${ANY}". Make a variant for each value that buyers shall choose`
    : null
}

type ReadCell = (index: number | undefined) => string

const productCells = (cell: ReadCell, { at, shortDescription }: WooColumns, images: string[]): Cells => ({
  name: cell(at.name),
  description: unescapeBreaks(cell(at.description) || cell(shortDescription)),
  manufacturer: splitList(cell(at.manufacturer))[0] ?? '',
  categories: writeList(splitList(cell(at.categories))),
  tags: writeList(splitList(cell(at.tags))),
  is_active: isOn(cell(at.is_active)),
  image_url: images[0] ?? '',
})

function variantCells(cell: ReadCell, columns: WooColumns, decimalComma: boolean): Cells {
  const { at, inStock, gramsPerUnit } = columns
  const stock = /^-?\d/.test(cell(at.stock_on_hand)) ? cell(at.stock_on_hand) : ''
  const backorder = /^(1|yes|notify)$/i.test(cell(at.backorder))
  // Without a number the shop does not count: what is in stock can always be sold.
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

/** The attributes of a row that have a value. */
function attributeValues(cells: string[], { attributes }: WooColumns): Map<string, string> {
  return new Map(
    attributes.flatMap(({ name, value }): [string, string][] => {
      const [named = '', valued = ''] = [cells[name]?.trim(), cells[value]?.trim()]
      return named && valued ? [[named, valued]] : []
    }),
  )
}

const imageRow = (slug: string, url: string): string[] =>
  WOO_ROW.map((column) => (column === 'slug' ? slug : column === 'image_url' ? url : ''))

const isOn = (published: string): string => (published === '' ? '' : String(published === '1'))

/** A weight that is no number is left as it is, so that the fault shows it. */
function toGrams(weight: string, gramsPerUnit: number, decimalComma: boolean): string {
  const number = Number(decimalComma ? weight.replace(',', '.') : weight)
  if (weight === '' || Number.isNaN(number)) return weight
  return String(Math.round(number * gramsPerUnit))
}

/** The items of a cell between commas; a comma in an item has a backslash. */
const splitList = (text: string): string[] =>
  text
    .split(/(?<!\\),/)
    .map((item) => item.replaceAll('\\,', ',').trim())
    .filter(Boolean)

/** WooCommerce writes line breaks as `\n`. */
const unescapeBreaks = (text: string): string => text.replaceAll('\\n', '\n')
