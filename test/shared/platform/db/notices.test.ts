import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'

const STOP_WORD =
  "select count(*) from products where search @@ websearch_to_tsquery('english', unaccent('the'))"

/** The notices that a search for a stop word gets in a transaction of the store, after `sql`. */
async function noticesAfter({ id }: { id: string }, sql: string): Promise<unknown[]> {
  const notices: unknown[] = []
  const note = (notice: unknown) => notices.push(notice)
  await inStore(id, async ({ knex }) => {
    const connection = await knex.client.acquireConnection()
    connection.on('notice', note)
    await knex.raw(sql)
    await knex.raw(STOP_WORD)
    connection.off('notice', note)
  })
  return notices
}

test('a search for a stop word makes PostgreSQL send no notice', async () => {
  const store = await buildStore()
  await buildProduct(store)

  assert.deepEqual(await noticesAfter(store, 'select 1'), [])
})

test('control: without the setting, each row gets a notice', async () => {
  const store = await buildStore()
  await buildProduct(store)

  const notices = await noticesAfter(store, 'set local client_min_messages = notice')

  assert.ok(notices.length > 0)
})
