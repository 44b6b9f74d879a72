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
