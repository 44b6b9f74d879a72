import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WooColumns } from '#shared/catalog/import/woocommerce/woo-header.ts'
import { indexWooRows } from '#shared/catalog/import/woocommerce/woo-index.ts'
import type { CsvRecord } from '#shared/imports/file/csv-record.ts'
import { UnreadableFile } from '#shared/imports/file/errors.ts'

const COLUMNS = {
  at: { type: 0, slug: 1, name: 2, sku: 3 },
  id: 4,
  attributes: [{ name: 5, value: 6 }],
} as unknown as WooColumns

async function* variations(count: number): AsyncGenerator<CsvRecord> {
  const record = (line: number, cells: string[]) => ({ cells, line, end: { byte: line * 10, line } })
  yield record(1, ['variable', '', 'Cup', 'CUP', '1', '', ''])
  for (let i = 0; i < count; i++) yield record(i + 2, ['variation', 'CUP', '', '', '', `Attribute ${i}`, 'v'])
}

test('1,000 variations that each name another attribute give their product ten options', async () => {
  const { products } = await indexWooRows(variations(1_000), { byte: 0, line: 0 }, COLUMNS)

  assert.equal(products[0]?.variations.length, 1_000)
  assert.equal(products[0]?.options.length, 10)
})

test('a file of 100,000 rows is read, and one of more is refused because its index would fill the memory', async () => {
  const most = await indexWooRows(variations(99_999), { byte: 0, line: 0 }, COLUMNS)

  assert.equal(most.products[0]?.variations.length, 99_999)
  await assert.rejects(indexWooRows(variations(100_000), { byte: 0, line: 0 }, COLUMNS), UnreadableFile)
})
