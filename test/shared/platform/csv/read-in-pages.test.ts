import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { readInPages } from '#shared/platform/csv/read-in-pages.ts'
import { buildStore } from '#test/support/build.ts'

test('parallel downloads read one page at a time, and stores take turns', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const order: string[] = []
  let reading = 0
  const download = async ({ id }: { id: string }, name: string) => {
    const pages = readInPages(id, {
      size: 1,
      async read(tx, after) {
        assert.equal(++reading, 1)
        await tx.knex.raw('select pg_sleep(0.01)')
        reading -= 1
        order.push(name)
        return after === null ? [{ id: 'a' }] : []
      },
    })
    for await (const _page of pages);
  }

  await Promise.all([
    download(store, 'first'),
    download(store, 'second'),
    download(store, 'third'),
    download(other, 'other'),
  ])

  assert.equal(order.length, 8)
  assert.ok(order.indexOf('other') < 3, order.join())
})
