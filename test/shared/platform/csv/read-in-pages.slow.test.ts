import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import '#test/support/database.ts'
import { readInPages } from '#shared/platform/csv/read-in-pages.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ClientGone, runForClient, WaitingClient } from '#shared/platform/db/waiting-client.ts'
import { buildStore } from '#test/support/builders/store.ts'

test('parallel downloads read one page at a time, and stores take turns', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const order: string[] = []
  const { promise: allWait, resolve: continueReading } = Promise.withResolvers<void>()
  let reading = 0
  const download = async ({ id }: { id: string }, name: string) => {
    const pages = readInPages(id, {
      size: 1,
      async read(tx, after) {
        assert.equal(++reading, 1)
        await allWait
        await tx.knex.raw('select')
        reading -= 1
        order.push(name)
        return after === null ? [{ id: 'a' }] : []
      },
    })
    for await (const _page of pages);
  }

  const downloads = [
    download(store, 'first'),
    download(store, 'second'),
    download(store, 'third'),
    download(other, 'other'),
  ]
  await setImmediate()
  continueReading()
  await Promise.all(downloads)

  assert.equal(order.length, 8)
  assert.ok(order.indexOf('other') < 3, order.join())
})

interface Pages {
  count: number
  seconds: number
}

/** Reads `count` pages, each in `seconds`, and notes the name at the end of each. */
async function download(
  { id }: { id: string },
  { count, seconds }: Pages,
  { name, ended }: { name: string; ended: string[] },
): Promise<void> {
  const read = async (tx: StoreTx, after: string | null) => {
    const page = Number(after ?? 0) + 1
    if (page > count) return []
    await tx.knex.raw('select pg_sleep(?)', [seconds])
    ended.push(name)
    return [{ id: String(page) }]
  }
  for await (const _page of readInPages(id, { size: 1, read }));
}

test('a slow page is canceled after a second and read again after the pages of another store', async () => {
  const [slow, other] = [await buildStore(), await buildStore()]
  const ended: string[] = []

  await Promise.all([
    download(slow, { count: 1, seconds: 3 }, { name: 'slow', ended }),
    download(other, { count: 8, seconds: 0 }, { name: 'other', ended }),
  ])

  // The page is canceled, and read again where it delays nobody.
  assert.equal(ended.join(' '), `${'other '.repeat(8)}slow`)
})

test('the pages of one store take no more time than those of another, however long each takes', async () => {
  const [long, other] = [await buildStore(), await buildStore()]
  const LONG_MS = 300
  const ended: string[] = []
  const ofLong = { name: 'long', ended }
  const begun = performance.now()

  const [othersMs] = await Promise.all([
    download(other, { count: 10, seconds: 0.01 }, { name: 'other', ended }).then(
      () => performance.now() - begun,
    ),
    ...Array.from({ length: 3 }, () => download(long, { count: 2, seconds: LONG_MS / 1_000 }, ofLong)),
  ])

  const meanwhile = ended.slice(0, ended.lastIndexOf('other')).filter((name) => name === 'long')
  // One page more may be under way at the end, and one may begin in a moment in which the other store does not wait.
  assert.ok((meanwhile.length - 2) * LONG_MS <= othersMs / 2, `${ended.join(' ')} ${othersMs}`)
  assert.equal(ended.length, 3 * 2 + 10)
})

test('a waiting page is not read after its client has disconnected', async () => {
  const store = await buildStore()
  const { promise: allGone, resolve: endRead } = Promise.withResolvers<void>()
  let reads = 0
  const pages = () =>
    readInPages(store.id, {
      size: 1,
      async read() {
        reads += 1
        await allGone
        return []
      },
    })
  const readUntilGone = async () => {
    const client = new WaitingClient()
    const page = runForClient(client, () => pages().next())
    await setImmediate()
    client.disconnect()
    // The request ends too.
    client.end()
    return page
  }

  const running = pages().next()
  const gone = Array.from({ length: 3 }, readUntilGone)
  await Promise.all(gone.map((page) => assert.rejects(page, ClientGone)))
  endRead()
  await running

  assert.equal(reads, 1)
})
