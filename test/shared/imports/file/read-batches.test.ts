import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CsvRecord } from '#shared/imports/file/csv-record.ts'
import { readBatches } from '#shared/imports/file/read-batches.ts'

const ROW_BYTES = 1024 * 1024

async function* largeRows(count: number): AsyncGenerator<CsvRecord> {
  for (let line = 1; line <= count; line++)
    yield { cells: ['cup'], line, end: { byte: line * ROW_BYTES, line } }
}

test('20 rows of 1 MiB of one group become three batches', async () => {
  const read = ({ line }: CsvRecord) => ({ row: line, key: 'cup' })

  const batches = await Array.fromAsync(readBatches(largeRows(20), { byte: 0, line: 0 }, { read }))

  assert.deepEqual(
    batches.map(({ rowCount }) => rowCount),
    [8, 8, 4],
  )
})
