import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHeader } from '#shared/catalog/import/read-header.ts'
import { readProductRow } from '#shared/catalog/import/rows/read-product-row.ts'
import { readWooRecords } from '#shared/catalog/import/woocommerce/read-woo-records.ts'
import { readWooColumns } from '#shared/catalog/import/woocommerce/woo-header.ts'
import { indexWooRows, type WooIndex } from '#shared/catalog/import/woocommerce/woo-index.ts'
import { readRecords } from '#shared/imports/file/read-records.ts'
import { longestTurn, MAX_BLOCKED_MS } from '#test/support/measure/thread-cpu.ts'
import { usedHeap } from '#test/support/measure/used-heap.ts'

const ATTRIBUTES = Array.from({ length: 100 }, (_, i) => [
  `Attribute ${i + 1} name`,
  `Attribute ${i + 1} value(s)`,
]).flat()
const NAMES = ['ID', 'Type', 'SKU', 'Name', 'Regular price', 'Parent', 'Images', 'Tags', ...ATTRIBUTES]
const COLUMNS = readWooColumns(NAMES)
const SETTINGS = { header: readHeader(NAMES, null), currency: 'EUR', decimalComma: false }
const HEADER = Buffer.from(`${NAMES.join()}\n`)
const START = { byte: HEADER.length, line: 1 }

/** Finds the rows of a file. `whenRead` is called when all of them are read, before their products are known. */
function indexOf(rows: Buffer, whenRead = () => {}): Promise<WooIndex> {
  async function* read() {
    yield rows
    whenRead()
  }
  return indexWooRows(readRecords(read(), START, ','), START, COLUMNS)
}

/** Reads all rows as an import does, one after the other. */
async function readAll(index: WooIndex, rows: Buffer): Promise<number> {
  const file = Buffer.concat([HEADER, rows])
  const readBytes = async (from: number, length: number) => file.subarray(from, from + length)
  let count = 0
  const woo = { index, columns: COLUMNS, delimiter: ',', decimalComma: false, readBytes }
  for await (const record of readWooRecords(woo, START, START)) {
    readProductRow(record, SETTINGS)
    count += 1
  }
  return count
}

const MEGABYTE = 1_000_000
const list = (length: number) => `"${'b,'.repeat(length / 2)}"`
const ROWS: Record<string, string> = {
  'a megabyte of empty cells': `1,simple,CUP,Cup,1,,,,${','.repeat(MEGABYTE)}\n`,
  'a megabyte of quotes in a cell': `1,simple,CUP,Cup,1,,,,x${'"'.repeat(MEGABYTE)}\n`,
  '49,000 images': `1,simple,CUP,Cup,1,,${list(98_000)},,\n`,
  'tags of 100,000 characters in many rows': `1,simple,CUP,Cup,1,,,${list(98_000)},\n`.repeat(20),
}

for (const [kind, row] of Object.entries(ROWS))
  test(`WooCommerce rows do not block other work: ${kind}`, async () => {
    const rows = Buffer.from(row)
    const index = await indexOf(rows)

    const ms = await longestTurn(() => readAll(index, rows))

    assert.ok(ms <= MAX_BLOCKED_MS, `${ms} ms`)
  })

test('a short and a long row have the same cells, before and after others', async () => {
  const description = `"${'Long, with ""quotes"" and\nline breaks. '.repeat(1_000)}"`
  const rows = Buffer.from(
    `1,simple,CUP,Cup,1,,,first\n\n2,simple,MUG,Mug,2,,,${description}\n3,simple,JUG,Jug,3,,,last\n`,
  )
  const index = await indexOf(rows)
  const file = Buffer.concat([HEADER, rows])
  const readBytes = async (from: number, length: number) => file.subarray(from, from + length)
  const woo = { index, columns: COLUMNS, delimiter: ',', decimalComma: false, readBytes }

  const records = await Array.fromAsync(readWooRecords(woo, START, START))

  const tags = records[1]?.cells.at(5)
  assert.deepEqual(
    records.map(({ cells, line }) => [cells[7], line]),
    [
      ['CUP', 2],
      ['MUG', 4],
      ['JUG', 1_005],
    ],
  )
  assert.match(tags ?? '', /^Long, /)
})

const VARIATIONS = 5_000
/** Of its worker's 256 MiB, a file of 100,000 rows may take a quarter. */
const BYTES_OF_ROW = 650

test('the index of variations with 100 attributes takes little memory', async () => {
  const cells = Array.from({ length: 100 }, (_, i) => `a${100 + i},1`).join()
  const rows = Buffer.from(`,variation,,,,P,,,${cells}\n`.repeat(VARIATIONS))
  const before = usedHeap()
  let bytes = 0

  await indexOf(rows, () => {
    bytes = usedHeap() - before
  })

  assert.ok(bytes < VARIATIONS * BYTES_OF_ROW, `${bytes / VARIATIONS} bytes of a row`)
})

test('the index keeps little of long names, keys and parents', async () => {
  const long = (n: number) => `${n}-${'k'.repeat(10_000)}`
  const rows = Buffer.from(
    Array.from(
      { length: 500 },
      (_, n) =>
        `${long(n)},simple,${long(n)},Cup,1,,,,,,\n,variation,,,1,${long(n)},,,${long(n)},1,${long(n)},1\n`,
    ).join(''),
  )
  const before = usedHeap()
  let bytes = 0

  const index = await indexOf(rows, () => {
    bytes = usedHeap() - before
  })

  assert.equal(index.products.length, 500)
  assert.ok(bytes < 1_000 * 2 * BYTES_OF_ROW, `${bytes / 1_000} bytes of a row`)
})
