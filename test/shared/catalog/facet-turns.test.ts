import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { readFacets } from '#shared/catalog/storefront/read-facets.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { buildStore } from '#test/support/build.ts'

const contextOf = async () => {
  const { id } = await buildStore()
  const store = await inStore(id, readStore)
  return { store, language: 'en', catalogVersion: '', place: null }
}

test('of many concurrent facet requests a store gets some and 429 for the rest; another store gets its facets', async () => {
  const [busy, other] = [await contextOf(), await contextOf()]
  const ranges = Array.from({ length: 40 }, (_, n) => ({ priceMaxMinor: BigInt(n + 1) }))

  const own = ranges.map((range) => readFacets(busy, range))
  const [others, ...answers] = await Promise.allSettled([readFacets(other, {}), ...own])

  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []))
  assert.equal(others?.status, 'fulfilled')
  assert.ok(refused.length > 0 && refused.length < 40, `${refused.length} of 40 were refused`)
  assert.deepEqual([...new Set(refused)], ['rate_limit.exceeded'])
})
