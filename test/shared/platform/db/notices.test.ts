import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'

const STOP_WORD =
  "select count(*) from products where search @@ websearch_to_tsquery('english', unaccent('the'))"

test('a search for a stop word makes PostgreSQL send no notice', async () => {
  const store = await buildStore()
  await buildProduct(store)
  const notices: unknown[] = []

  await inStore(store.id, async ({ knex }) => {
    const connection = await knex.client.acquireConnection()
    connection.on('notice', (notice: unknown) => notices.push(notice))
    await knex.raw(STOP_WORD)
  })

  assert.deepEqual(notices, [])
})

test('control: without the setting, each row gets a notice', async () => {
  const notices: unknown[] = []
  const note = (notice: unknown) => notices.push(notice)
  const client = await superuser.connect()
  client.on('notice', note)

  await client.query(STOP_WORD)

  client.off('notice', note)
  client.release()
  assert.ok(notices.length > 0)
})
