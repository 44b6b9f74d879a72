import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { CsvRecord, FilePosition } from '#shared/imports/file/csv-record.ts'
import { UnreadableFile } from '#shared/imports/file/errors.ts'
import { readRecords } from '#shared/imports/file/read-records.ts'

const START: FilePosition = { byte: 0, line: 0 }

async function* inPieces(file: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size)
}

const read = (file: Buffer, from = START, size = file.length): Promise<CsvRecord[]> =>
  Array.fromAsync(readRecords(inPieces(file.subarray(from.byte), size), from, ','))

const FILE = Buffer.from(
  '\ufeffHandle,Title,Text\r\ncup,"Cup ""No. 1""","one\r\ntwo\n\nthree"\r\n\r\npan,Pänne 12" wide,日本\nlast,"",end',
)
const CELLS = [
  ['Handle', 'Title', 'Text'],
  ['cup', 'Cup "No. 1"', 'one\r\ntwo\n\nthree'],
  ['pan', 'Pänne 12" wide', '日本'],
  ['last', '', 'end'],
]

test('rows are read whatever the boundaries of the chunks', async () => {
  for (let size = 1; size <= FILE.length; size++) {
    const records = await read(FILE, START, size)

    assert.deepEqual(
      records.map(({ cells }) => cells),
      CELLS,
      `pieces of ${size} bytes`,
    )
    assert.deepEqual(
      records.map(({ line }) => line),
      [1, 2, 7, 8],
    )
    assert.equal(records.at(-1)?.end.byte, FILE.length)
  }
})

test('reading from the end of any row gives the other rows with the same lines', async () => {
  const whole = await read(FILE)

  for (const [i, { end }] of whole.entries()) assert.deepEqual(await read(FILE, end), whole.slice(i + 1))
})

test('rows before a fault are yielded before the error', async () => {
  const file = Buffer.from('a,b\n1,2\n3,"4\n5,6\n')
  const given: string[][] = []

  await assert.rejects(async () => {
    for await (const { cells } of readRecords(inPieces(file, file.length), START, ',')) given.push(cells)
  }, UnreadableFile)

  assert.deepEqual(given, [
    ['a', 'b'],
    ['1', '2'],
  ])
})

test('a million empty lines are few records', async () => {
  const file = Buffer.from(`a,b\n${'\n'.repeat(1024 * 1024)}1,2\n`)

  const records = await read(file, START, 256 * 1024)

  assert.ok(records.length < 300, `${records.length} records`)
  assert.equal(
    records.reduce((lines, { emptyLines = 0 }) => lines + emptyLines, 0),
    1024 * 1024,
  )
  assert.deepEqual(records.at(-1)?.cells, ['1', '2'])
  assert.equal(records.at(-1)?.line, 1024 * 1024 + 2)
})

for (const [what, row] of [
  ['text', `1,"${'x'.repeat(2 * 1024 * 1024)}"`],
  ['empty cells', ','.repeat(2 * 1024 * 1024)],
  ['empty cells in quotes', '"",'.repeat(700_000)],
] as const)
  test(`a row of more than 1 MB of ${what} throws UnreadableFile`, async () => {
    const file = Buffer.from(`a,b\n${row}\n`)

    await assert.rejects(
      read(file, START, 256 * 1024),
      /line 2 is longer than 1 MB, or starts a quoted text that does not end/,
    )
  })

for (const lineBreak of ['\n', '\r\n', '\r'])
  test(`2 MB of empty lines that end with ${JSON.stringify(lineBreak)} are no row that is too long`, async () => {
    const empty = lineBreak.repeat((2 * 1024 * 1024) / lineBreak.length)

    const records = await read(Buffer.from(`a,b${lineBreak}${empty}1,2${lineBreak}`), START, 256 * 1024)

    assert.deepEqual(records.at(-1)?.cells, ['1', '2'])
  })

test('the event loop turns after at most 2,048 tiny rows', async () => {
  let turn = 0
  const rowsOfTurn = new Map<number, number>()
  const isOver = new AbortController()
  const turns = (async () => {
    for (; !isOver.signal.aborted; turn++) await setImmediate()
  })()

  for await (const { cells } of readRecords(
    inPieces(Buffer.from('a\n'.repeat(20_000)), 256 * 1024),
    START,
    ',',
  )) {
    assert.deepEqual(cells, ['a'])
    rowsOfTurn.set(turn, (rowsOfTurn.get(turn) ?? 0) + 1)
  }
  isOver.abort()
  await turns

  assert.ok(Math.max(...rowsOfTurn.values()) <= 2_048, JSON.stringify([...rowsOfTurn.values()]))
})
