import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { findDueRows } from '#shared/stores/find-due-rows.ts'

const ROWS = `values ('busy', 1), ('busy', 2), ('busy', 3), ('busy', 4), ('quiet', 5), ('slow', 6), ('slow', 7)`
const SQL = `select store as "storeId", number from (${ROWS}) due (store, number)`

test('the stores take turns, each with its rows in their sequence', async () => {
  const rows = await findDueRows(SQL, [])

  assert.deepEqual(
    rows.map(({ storeId, ...row }) => [storeId, row]),
    [
      ['busy', { number: 1 }],
      ['quiet', { number: 5 }],
      ['slow', { number: 6 }],
      ['busy', { number: 2 }],
      ['slow', { number: 7 }],
      ['busy', { number: 3 }],
      ['busy', { number: 4 }],
    ],
  )
})

test('a limit smaller than the backlog of one store leaves no other store out', async () => {
  const rows = await findDueRows(SQL, [], 3)

  assert.deepEqual(rows.map(({ storeId }) => storeId).sort(), ['busy', 'quiet', 'slow'])
})

test('control: a limit over all rows reads those of the first store only', async () => {
  const rows = await findDueRows(`${SQL} limit 3`, [])

  assert.deepEqual(new Set(rows.map(({ storeId }) => storeId)), new Set(['busy']))
})
