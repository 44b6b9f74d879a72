import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CsvRecord } from '#shared/imports/file/csv-record.ts'
import { readBatches } from '#shared/imports/file/read-batches.ts'

async function* rowsOfOneGroup(count: number, bytes: number): AsyncGenerator<CsvRecord> {
  for (let line = 1; line <= count; line++) yield { cells: ['cup'], line, end: { byte: line * bytes, line } }
}

const LARGE: Record<string, { count: number; bytes: number; batches: number[] }> = {
  '20 rows of 1 MiB': { count: 20, bytes: 1024 * 1024, batches: [8, 8, 4] },
  '6,000 short rows': { count: 6_000, bytes: 10, batches: [2_500, 2_500, 1_000] },
}

for (const [what, { count, bytes, batches }] of Object.entries(LARGE))
  test(`${what} of one group become ${batches.length} batches`, async () => {
    const read = ({ line }: CsvRecord) => ({ row: line, key: 'cup' })

    const found = await Array.fromAsync(
      readBatches(rowsOfOneGroup(count, bytes), { byte: 0, line: 0 }, { read }),
    )

    assert.deepEqual(
      found.map(({ rowCount }) => rowCount),
      batches,
    )
  })

interface Text {
  key: string
  length: number
}

async function* recordsOf(texts: Text[]): AsyncGenerator<CsvRecord> {
  for (const [i, { key, length }] of texts.entries())
    yield { cells: [key, `${length}`], line: i + 1, end: { byte: i + 1, line: i + 1 } }
}

/** The keys of each batch, and the bytes at which it starts and ends. */
async function batchesOf(texts: Text[]) {
  const read = ({ cells: [key = '', length] }: CsvRecord) => ({ row: Number(length), key })
  const format = { read, shorten: () => 0, countIndexed: (row: number) => row }
  const found = await Array.fromAsync(readBatches(recordsOf(texts), { byte: 0, line: 0 }, format))
  return found.map(({ groups, start, end }) => ({ groups: groups.size, bytes: [start.byte, end.byte] }))
}

const groupsOf = (count: number, length: number): Text[] =>
  Array.from({ length: count }, (_, i) => ({ key: `cup-${length}-${i}`, length }))

test('a batch has at most 100,000 indexed characters; a single group may have more', async () => {
  const large = { key: 'large', length: 250_000 }
  assert.deepEqual(await batchesOf([...groupsOf(25, 10_000), large, ...groupsOf(3, 1_000)]), [
    { groups: 10, bytes: [0, 10] },
    { groups: 10, bytes: [10, 20] },
    { groups: 5, bytes: [20, 25] },
    { groups: 1, bytes: [25, 26] },
    { groups: 3, bytes: [26, 29] },
  ])
})

test('short texts make no smaller batches, and a text that a group repeats counts once', async () => {
  const short = groupsOf(400, 400)
  const repeated = groupsOf(5, 15_000).flatMap((text) => [text, text, text])
  assert.deepEqual(
    (await batchesOf(short)).map(({ groups }) => groups),
    [200, 200],
  )
  assert.deepEqual(
    (await batchesOf(repeated)).map(({ groups }) => groups),
    [5],
  )
})
