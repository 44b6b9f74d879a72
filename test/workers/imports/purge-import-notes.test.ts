import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { countRows, importCustomerCsv } from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { runScheduled } from '#test/support/processes/jobs.ts'
import { purgeImportNotes } from '#workers/imports/purge-import-notes.ts'

test('the notes of an import, with the cells of its file, are deleted after 30 days', async () => {
  stopClock()
  const stores = [await buildStore(), await buildStore()]
  for (const store of stores) {
    const { token } = await buildStaff(store, { role: 'sales' })
    await importCustomerCsv(token, 'email,firstname\nada at example.test,Ada\n')
  }
  const notesLeft = async () => {
    await runScheduled(purgeImportNotes)
    return Promise.all(stores.map((store) => countRows(store, 'import_notes')))
  }

  moveClock(30 * DAY_MS - SECOND_MS)
  const before = await notesLeft()
  moveClock(30 * DAY_MS + MINUTE_MS)
  const after = await notesLeft()

  assert.deepEqual(before, [1, 1])
  assert.deepEqual(after, [0, 0])
  for (const store of stores) assert.equal(await countRows(store, 'import_jobs'), 1)
})
