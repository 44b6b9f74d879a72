import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { eraseExcerpts } from '#shared/webhooks/attempts/erase-excerpts.ts'
import { buildStore } from '#test/support/builders/store.ts'

test('the excerpts about 2,500 events are erased by three statements', async () => {
  const store = await buildStore()
  const eventIds = Array.from({ length: 2_500 }, newId)
  const sizes: number[] = []

  await inStore(store.id, (tx) => {
    tx.knex.on('query', ({ bindings }: { bindings?: unknown[] }) => {
      const ids = bindings?.[1]
      if (Array.isArray(ids)) sizes.push(ids.length)
    })
    return eraseExcerpts(tx, eventIds)
  })

  assert.deepEqual(sizes, [1_000, 1_000, 500])
})
