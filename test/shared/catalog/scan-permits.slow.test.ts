import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { readFacets } from '#shared/catalog/storefront/read-facets.ts'
import { withFacetPermit } from '#shared/catalog/storefront/scan-permits.ts'
import { newId } from '#shared/platform/db/id.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { buildStore } from '#test/support/builders/store.ts'

const contextOf = async () => {
  const { id } = await buildStore()
  const store = await inStore(id, readStore)
  return { store, language: 'en', catalogVersion: '', place: null }
}

test('a store gets some of many concurrent facet requests and 429 for the rest; another store gets its facets', async () => {
  const [busy, other] = [await contextOf(), await contextOf()]
  const ranges = Array.from({ length: 40 }, (_, n) => ({ priceMaxMinor: BigInt(n + 1) }))

  const own = ranges.map((range) => readFacets(busy, range))
  const [others, ...answers] = await Promise.allSettled([readFacets(other, {}), ...own])

  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []))
  assert.equal(others?.status, 'fulfilled')
  assert.ok(refused.length > 0 && refused.length < 40, `${refused.length} of 40 were refused`)
  assert.deepEqual([...new Set(refused)], ['rate_limit.exceeded'])
})

const SLEEP = { name: 'sleep_in_facets', text: 'select pg_sleep(60)::text' }

test('large catalogs of two stores do not delay the small one of a third store', async () => {
  const [large, otherLarge, small] = [newId(), newId(), newId()]
  const gate = Promise.withResolvers<string>()
  const countLarge = (storeId: string) =>
    withFacetPermit(storeId, (timeoutMs) =>
      timeoutMs ? readInStore(storeId, SLEEP, [], timeoutMs).then(() => '') : gate.promise,
    )
  const countSmall = () => withFacetPermit(small, async () => 'small')

  const work = [large, otherLarge, large, otherLarge].map(countLarge)
  const answers = [await countSmall(), await countSmall()]
  gate.resolve('large')

  assert.deepEqual(answers, ['small', 'small'])
  assert.deepEqual(await Promise.all(work), Array(4).fill('large'))
})

test('a flood from one large catalog ends one count at its time-out, not each', async () => {
  const store = newId()
  let ended = 0
  const count = (timeoutMs: number | undefined) => {
    if (!timeoutMs) return Promise.resolve('counted')
    ended += 1
    return readInStore(store, SLEEP, [], timeoutMs).then(() => '')
  }

  const answers = await Promise.all(Array.from({ length: 8 }, () => withFacetPermit(store, count)))

  assert.equal(ended, 1)
  assert.deepEqual(answers, Array(8).fill('counted'))
})

test('a failed count is not repeated', async () => {
  let counts = 0
  const fail = () => {
    counts += 1
    return Promise.reject(new Error('no'))
  }

  await assert.rejects(withFacetPermit(newId(), fail), { message: 'no' })

  assert.equal(counts, 1)
})
