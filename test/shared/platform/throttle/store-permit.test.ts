import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { readFacets } from '#shared/catalog/storefront/read-facets.ts'
import { config } from '#shared/platform/config/config.ts'
import { readInPages } from '#shared/platform/csv/read-in-pages.ts'
import { waitingWork } from '#shared/platform/db/connection-waits.ts'
import {
  holdConnection,
  limitOfPool,
  limitStoreConnections,
  UNLIMITED,
} from '#shared/platform/db/store-connection-limit.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { runForClient, WaitingClient } from '#shared/platform/db/waiting-client.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { withStorePermit } from '#shared/platform/throttle/store-permit.ts'
import { readStore } from '#shared/stores/store.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { until } from '#test/support/races/until.ts'

const SHARE = config().DATABASE_POOL / 2
type Semaphore = ReturnType<typeof semaphore>

afterEach(() => limitStoreConnections(UNLIMITED))

/** Uses all connections of a store until `release`. */
async function useWholeShare({ id }: { id: string }) {
  limitStoreConnections(limitOfPool(config().DATABASE_POOL, 60_000))
  const released = Promise.withResolvers<void>()
  let running = 0
  const all = Array.from({ length: SHARE }, () =>
    inStore(id, () => {
      running += 1
      return released.promise
    }),
  )
  await until('the store uses its share', async () => running === SHARE)
  return async () => {
    released.resolve()
    await Promise.all(all)
  }
}

const nothing = async () => {}

test('a store that waits for its own connections holds no permit; then it gets both', async () => {
  const [busy, other] = [await buildStore(), await buildStore()]
  const withPermit = semaphore({ permits: 1, maxWaiting: 8 })
  const release = await useWholeShare(busy)
  let isDone = false
  const waiting = withStorePermit(withPermit, busy.id, () => inStore(busy.id, nothing)).then(() => {
    isDone = true
  })

  await withStorePermit(withPermit, other.id, () => inStore(other.id, nothing))
  const isDoneBefore = isDone
  await release()
  await waiting

  assert.deepEqual({ isDoneBefore, isDone }, { isDoneBefore: false, isDone: true })
})

/** Whether the busy store has a connection for other work while much of its work waits for a permit. */
async function hasConnectionBeside(wait: (withPermit: Semaphore, storeId: string) => Promise<void>) {
  const [busy, other] = [await buildStore(), await buildStore()]
  const withPermit = semaphore({ permits: 1, maxWaiting: 64 })
  const release = await useWholeShare(busy)
  const work = Array.from({ length: 2 * SHARE }, () => wait(withPermit, busy.id))
  await until('work of the busy store waits for a connection', async () => waitingWork() > 0)
  const held = Promise.withResolvers<void>()
  const holder = withPermit(() => held.promise, { group: other.id })
  await release()
  let isDone = false
  const reading = inStore(busy.id, nothing).then(() => {
    isDone = true
  })
  await until('the read is done, or waits', async () => isDone || waitingWork() === SHARE + 1)
  const wasDone = isDone
  held.resolve()
  await Promise.all([holder, reading, ...work])
  return wasDone
}

test('work of a store that waits for a permit leaves connections to its other work', async () => {
  const wait = (withPermit: Semaphore, id: string) =>
    withStorePermit(withPermit, id, () => inStore(id, nothing))

  assert.equal(await hasConnectionBeside(wait), true)
})

test('control: work that waits for a permit with a connection each leaves none', async () => {
  const wait = (withPermit: Semaphore, id: string) =>
    holdConnection(id, () => withPermit(() => inStore(id, nothing), { group: id }))

  assert.equal(await hasConnectionBeside(wait), false)
})

test('networks of the clients of one store take turns; control: work without a network is served in its sequence', async () => {
  const store = await buildStore()
  const serve = async (networkOf: (name: string) => string) => {
    const withPermit = semaphore({ permits: 1, maxWaiting: 8 })
    const served: string[] = []
    const read = (name: string) => {
      const client = new WaitingClient()
      client.network = networkOf(name)
      const work = async () => void served.push(name)
      return runForClient(client, () => withStorePermit(withPermit, store.id, work))
    }
    await Promise.all(['flood', 'flood', 'flood', 'shopper'].map(read))
    return served
  }

  assert.deepEqual(await serve((name) => name), ['flood', 'shopper', 'flood', 'flood'])
  assert.deepEqual(await serve(() => ''), ['flood', 'flood', 'flood', 'shopper'])
})

test('control: a permit that is taken first is held during the wait for a connection', async () => {
  const [busy, other] = [await buildStore(), await buildStore()]
  const withPermit = semaphore({ permits: 1, maxWaiting: 8 })
  const release = await useWholeShare(busy)
  const waiting = withPermit(() => inStore(busy.id, nothing), { caller: busy.id })
  let isDone = false
  const others = withPermit(() => inStore(other.id, nothing), { caller: other.id }).then(() => {
    isDone = true
  })

  await inStore(other.id, nothing)
  const isDoneBefore = isDone
  await release()
  await Promise.all([waiting, others])

  assert.equal(isDoneBefore, false)
})

test('all waiting work of a store runs on its share, also when there is more of it than connections', async () => {
  const busy = await buildStore()
  const withPermit = semaphore({ permits: 1, maxWaiting: 64 })
  const release = await useWholeShare(busy)
  const work = () => inStore(busy.id, async () => 'done')

  const waiting = Array.from({ length: 4 * SHARE }, () => withStorePermit(withPermit, busy.id, work))
  await release()

  assert.deepEqual(await Promise.all(waiting), Array(4 * SHARE).fill('done'))
})

/** The context of a shopper in a new store. */
async function buildContext() {
  const { id } = await buildStore()
  return { store: await inStore(id, readStore), language: 'en', catalogVersion: '', place: null }
}

async function exportOnePage({ id }: { id: string }): Promise<void> {
  const pages = readInPages(id, { size: 1, read: async (_tx, after) => (after ? [] : [{ id: 'a' }]) })
  for await (const _page of pages);
}

test('facets and downloads of a store that uses its whole share do not delay those of another store', async () => {
  const [busy, other] = [await buildContext(), await buildContext()]
  const release = await useWholeShare(busy.store)
  let ended = 0
  const end = () => {
    ended += 1
  }
  const waiting = [readFacets(busy, {}), exportOnePage(busy.store)].map((work) => work.then(end))

  await readFacets(other, {})
  await exportOnePage(other.store)
  const endedBefore = ended
  await release()
  await Promise.all(waiting)

  assert.deepEqual({ endedBefore, ended }, { endedBefore: 0, ended: 2 })
})
