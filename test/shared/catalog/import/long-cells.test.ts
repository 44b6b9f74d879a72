import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHeader } from '#shared/catalog/import/read-header.ts'
import { readProductRow, withoutRepeatedCells } from '#shared/catalog/import/rows/read-product-row.ts'
import { readWooColumns } from '#shared/catalog/import/woocommerce/woo-header.ts'
import { toRows } from '#shared/catalog/import/woocommerce/woo-rows.ts'

function readRow(columns: string[], cells: string[]) {
  const record = { cells, line: 2, end: { byte: 1, line: 2 } }
  const header = readHeader(columns, null)
  const found = readProductRow(record, { header, currency: 'EUR', decimalComma: false })
  assert.ok('row' in found)
  return found.row
}

const readCategories = (text: string) => readRow(['slug', 'price', 'categories'], ['cup', '1', text]).product

test('a category path of 20 levels is read, one of 21 levels is a fault', () => {
  const path = Array.from({ length: 20 }, (_, level) => `Level ${level}`)

  assert.deepEqual(readCategories(path.join('>')).categories, [path])
  const tooDeep = readCategories([...path, 'Level 20'].join('>'))
  assert.deepEqual(tooDeep.categories, [])
  assert.equal(tooDeep.faults[0]?.message, 'Use at most 20 levels of categories')
})

test('columns with translations after the first 120 are ignored', () => {
  const columns = ['slug', ...Array.from({ length: 200 }, () => 'name:de')]

  const { product } = readRow(columns, columns)

  assert.equal(product.translations.length, 120)
  assert.equal(readHeader(columns, null).ignored.length, 80)
})

test('only the first row and the first named row of a product keep the cells of the product', () => {
  const columns = ['slug', 'name', 'price', 'categories']
  const rows = ['', '', 'Cup', 'Mug'].map((name) => readRow(columns, ['cup', name, '1', 'Home > Kitchen']))

  const shortened = rows.map((row, i) => (i === 0 ? row : withoutRepeatedCells(row, rows.slice(0, i))))

  assert.deepEqual(
    shortened.map(({ product }) => product.categories.length),
    [1, 0, 1, 0],
  )
  assert.ok(shortened.every(({ variant }) => variant?.prices.priceMinor === 100n))
})

const WOO_HEADER = ['ID', 'Type', 'SKU', 'Name', 'Regular price', 'Tags', 'Images']

const wooRowsOf = (tags: string, images: string) =>
  toRows(
    ['1', 'simple', 'CUP', 'Cup', '1', tags, images],
    { position: { byte: 0, length: 0, line: 2 }, slug: 'cup', options: [], variations: [] },
    readWooColumns(WOO_HEADER),
    false,
  )

test('a WooCommerce row whose images take over 100,000 characters is refused with a fault', () => {
  const result = wooRowsOf('', 'a,'.repeat(50_001))

  assert.partialDeepStrictEqual(result, {
    fault: 'The images take more than 100000 characters. Keep the URLs that the product needs',
  })
})

test('tags of WooCommerce past 100,000 characters are not split, and become a fault in the own format', () => {
  const tags = 'a,'.repeat(50_001)

  const result = wooRowsOf(tags, '')

  assert.ok('rows' in result && result.rows[0]?.includes(tags))
})
