import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { bytesOfText, versionedCache } from '#shared/catalog/storefront-context/versioned-cache.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { MIB, usedHeap } from '#test/support/measure/used-heap.ts'

const ENTRIES = 5_000
/** As many characters as an address may have. */
const LONG = 15_000

async function contextOf() {
  const { id } = await buildStore()
  const store = await inStore(id, readStore)
  return { store, language: 'en', catalogVersion: '1', place: null }
}

test('a result is computed once for each key', async () => {
  const cached = versionedCache<number>(10)
  const context = await contextOf()
  let computed = 0
  const ask = (key: string) => cached(context, key, async () => ++computed)

  assert.deepEqual(await Promise.all(['a', 'b', 'a'].map(ask)), [1, 2, 1])
})

test('long results take no more memory than all results may', async () => {
  const cached = versionedCache<string>(ENTRIES, bytesOfText)
  const context = await contextOf()
  const before = usedHeap()

  for (let i = 0; i < 600; i++) await cached(context, i, async () => Buffer.alloc(MIB / 10, 97).toString())

  const growth = usedHeap() - before
  assert.ok(growth < 20 * MIB, `${Math.round(growth / MIB)} MiB`)
  assert.equal(await cached(context, 599, async () => 'again'), 'a'.repeat(MIB / 10))
})

test('long keys take no more memory than short ones', async () => {
  const cached = versionedCache<number>(ENTRIES)
  const context = await contextOf()
  const before = usedHeap()

  for (let i = 0; i < ENTRIES; i++) await cached(context, [`${i}`.padEnd(LONG, 'x')], async () => i)

  const growth = usedHeap() - before
  assert.ok(growth < 10 * MIB, `${Math.round(growth / MIB)} MiB`)
  assert.equal(await cached(context, ['0'.padEnd(LONG, 'x')], async () => -1), 0)
})
