import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { catalogOf, importCsv } from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'

/** A folder of Shopify's own example exports; what they hold was counted by another reader of CSV. */
const folder = process.env.REAL_PRODUCT_EXPORTS ?? ''
const skip = folder ? false : 'REAL_PRODUCT_EXPORTS names no folder with real product exports'

const EXPORTS = [
  { file: 'apparel.csv', products: 20, variants: 22, images: 20, onSale: 0 },
  {
    file: 'home-and-garden.csv',
    products: 20,
    variants: 21,
    images: 21,
    onSale: 16,
  },
  {
    file: 'jewelery.csv',
    products: 20,
    variants: 23,
    images: 41,
    onSale: 17,
  },
]

async function importExport(file: string, times = 1) {
  const store = await buildStore({ currency: 'USD' })
  const { token } = await buildStaff(store, { role: 'catalog' })
  const text = await readFile(join(folder, file), 'utf8')
  let report = await importCsv(store, token, text)
  for (let i = 1; i < times; i++) report = await importCsv(store, token, text)
  return { report, catalog: await catalogOf(store) }
}

for (const { file, ...expected } of EXPORTS)
  test(`${file} is imported completely`, { skip }, async () => {
    const { report, catalog } = await importExport(file)

    const found = [...catalog.values()]
    const variants = found.flatMap((one) => one.variants)
    assert.deepEqual(report.errors, [])
    assert.equal(report.status, 'succeeded')
    assert.equal(found.length, expected.products)
    assert.equal(variants.length, expected.variants)
    assert.equal(found.flatMap(({ product }) => product.images).length, expected.images)
    assert.equal(variants.filter(({ salePriceMinor }) => salePriceMinor !== null).length, expected.onSale)
  })

test('rows without a SKU match the same variants in a repeated import', { skip }, async () => {
  for (const { file, variants } of EXPORTS) {
    const { report, catalog } = await importExport(file, 2)

    const skus = [...catalog.values()].flatMap((one) => one.variants.map(({ sku }) => sku))
    assert.equal(report.variants_updated, variants)
    assert.equal(report.variants_created, 0)
    assert.equal(new Set(skus).size, variants)
  }
})

test('untracked stock allows backorder', { skip }, async () => {
  const { catalog } = await importExport('apparel.csv')

  const variants = [...catalog.values()].flatMap((one) => one.variants)
  assert.ok(variants.every(({ backorder }) => backorder))
})

test('a variant is shown by the image of its row', { skip }, async () => {
  const { catalog } = await importExport('jewelery.csv')

  const bracelet = catalog.get('leather-anchor')
  const [gold, silver] = bracelet?.variants ?? []
  assert.deepEqual(gold?.optionValues, { Color: 'Gold' })
  assert.deepEqual(
    bracelet?.product.images.map(({ variant_ids }) => variant_ids),
    [[gold?.id], [silver?.id], []],
  )
})

test('every file of the folder is tested', { skip }, async () => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.csv'))
  assert.deepEqual(files.sort(), EXPORTS.map(({ file }) => file).sort())
})
