import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { readInPages } from '#shared/platform/csv/read-in-pages.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
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

test('slow pages of a store delay the pages of another store by only the first of them', async () => {
  const [slow, other] = [await buildStore(), await buildStore()]
  const ended: string[] = []
  const download = async (
    { id }: { id: string },
    name: string,
    { pages, seconds }: { pages: number; seconds: number },
  ) => {
    const read = async (tx: StoreTx, after: string | null) => {
      await tx.knex.raw('select pg_sleep(?)', [seconds])
      ended.push(name)
      return after === String(pages) ? [] : [{ id: String(Number(after ?? 0) + 1) }]
    }
    for await (const _page of readInPages(id, { size: 1, read }));
  }

  await Promise.all([
    download(slow, 'slow', { pages: 2, seconds: 1.1 }),
    download(other, 'other', { pages: 8, seconds: 0 }),
  ])

  // Both begin before it is known that the pages are slow.
  const between = ended.slice(ended.indexOf('other'), ended.lastIndexOf('other'))
  assert.ok(between.filter((name) => name === 'slow').length <= 1, ended.join())
  assert.equal(ended.length, 3 + 9)
})
