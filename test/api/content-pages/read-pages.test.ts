import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildContentPage } from '#test/support/builders/content-pages.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

/** A page without a body: a process renders each body, which takes longer. */
const buildPage = (store: BuiltStore, given: Parameters<typeof buildContentPage>[1] = {}) =>
  buildContentPage(store, { bodyI18n: {}, ...given })

const readOf = (store: BuiltStore) => (slug: string) => request(`GET /pages/${slug}`, { store })

test('a visitor reads and lists a published page', async () => {
  const store = await buildStore()
  const { title } = await buildPage(store, { slug: 'terms', position: 'footer' })

  const page = await readOf(store)('terms')
  const list = await request('GET /pages', { store })

  assert.equal(page.status, 200)
  assert.partialDeepStrictEqual(page.data, { slug: 'terms', title, position: 'footer', body_html: '' })
  assert.partialDeepStrictEqual(list, { data: [{ slug: 'terms', title }], meta: { total: 1 } })
})

for (const [name, hidden] of Object.entries({
  inactive: { isActive: false },
  'without a time': { publishedAt: null },
  'of the future': { publishedAt: new Date('2100-01-01') },
}))
  test(`a page that is ${name} returns 404, which is not cached`, async () => {
    const store = await buildStore()
    await buildPage(store, { slug: 'terms', ...hidden })

    const { status, error_code, headers } = await readOf(store)('terms')

    assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' })
    assert.equal(headers.get('cache-control'), 'no-store')
  })

test("another store's page returns 404", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  await buildPage(other, { slug: 'terms' })

  assert.equal((await readOf(store)('terms')).status, 404)
  assert.equal((await readOf(other)('terms')).status, 200)
})
