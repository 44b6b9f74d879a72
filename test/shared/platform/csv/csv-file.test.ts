import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { type CsvColumn, CsvFile, type CsvValue } from '#shared/platform/csv/csv-file.ts'
import { guardCell, guardCode, unguardCell, unguardCode } from '#shared/platform/csv/guard-cell.ts'
import { longestTurn, MAX_BLOCKED_MS } from '#test/support/measure/thread-cpu.ts'

interface Row {
  text: CsvValue
}

const COLUMNS: CsvColumn<Row>[] = [
  { name: 'text', value: ({ text }) => text },
  { name: 'end', value: () => '.' },
]

const fileOf = (rows: Row[][]) =>
  CsvFile.of({ name: 'rows', columns: COLUMNS, rows, totalRows: rows.flat().length })

const textOf = async (file: CsvFile) => (await Array.fromAsync(file.text())).join('')

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '"', ',', 'a', '0'), { maxLength: 6 }),
)
const joined = anyText.map((text) => [text].flat().join(''))

test('a guarded cell is no formula, and reads back as it was', () => {
  fc.assert(
    fc.property(joined, (text) => {
      assert.doesNotMatch(guardCell(text), /^[=+\-@\t\r\n]/)
      assert.equal(unguardCell(guardCell(text)), text)
    }),
  )
})

test('a guarded code reads back as it was', () => {
  fc.assert(fc.property(joined, (text) => assert.equal(unguardCode(guardCode(text)), text)))
})

for (const [code, guarded] of [
  ['00123', "'00123"],
  ['4006381333931', "'4006381333931"],
  ['123E4', "'123E4"],
  ["'7", "''7"],
  ['OAK-45', 'OAK-45'],
  ['123', '123'],
])
  test(`the code ${code} is written as ${guarded}`, () => {
    assert.equal(guardCode(code as string), guarded)
  })

test('every text survives a CSV file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(joined), async (texts) => {
      const text = await textOf(fileOf([texts.map((one) => ({ text: one }))]))
      const [, ...rows] = parse(text) as string[][]
      assert.deepEqual(
        rows.map(([cell = '']) => unguardCell(cell)),
        texts,
      )
    }),
  )
})

test('numbers, times, booleans and missing values are written without a guard', async () => {
  const values = [-12.5, 7n, true, null, new Date('2026-02-01T00:00:00Z')]

  const text = await textOf(fileOf([values.map((value) => ({ text: value }))]))

  assert.equal(text, 'text,end\n-12.5,.\n7,.\ntrue,.\n,.\n2026-02-01T00:00:00.000Z,.\n')
})

test('a batch of rows is read when the pieces before it are taken', async () => {
  let batches = 0
  const rows = (function* () {
    for (;;) {
      batches += 1
      yield [{ text: batches }]
    }
  })()
  const text = CsvFile.of({ name: 'endless', columns: COLUMNS, rows, totalRows: 0 }).text()

  await text.next()
  assert.equal(batches, 0)
  await text.next()
  assert.equal(batches, 1)
})

const repeated = (count: number, text: string): Row[] => Array.from({ length: count }, () => ({ text }))

for (const [name, batches] of [
  ['200 texts of quotes', [repeated(200, '"'.repeat(5_000))]],
  ['100,000 short rows in memory', Array.from({ length: 200 }, () => repeated(500, 'cup'))],
] as const)
  test(`others have their turn while ${name} are written`, async () => {
    const ms = await longestTurn(() => textOf(fileOf(batches as unknown as Row[][])))

    assert.ok(ms < MAX_BLOCKED_MS, `${ms} ms`)
  })
