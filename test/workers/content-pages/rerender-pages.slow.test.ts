import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { ContentPage } from '#shared/content-pages/content-page.ts'
import { RENDERER } from '#shared/content-pages/renderer.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildContentPage } from '#test/support/builders/content-pages.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { runScheduled } from '#test/support/processes/jobs.ts'
import { rerenderPages } from '#workers/content-pages/rerender-pages.ts'

const EARLIER = { renderer: 'an earlier one', htmlI18n: { en: '<script>hit()</script>' } }

const run = () => runScheduled(rerenderPages)

const findPage = (store: BuiltStore, id: string) =>
  inStore(store.id, (tx) => ContentPage.in(tx).findById(id).throwIfNotFound())

/** A page as an earlier renderer left it. */
async function buildEarlierPage(store: BuiltStore): Promise<ContentPage> {
  const { id } = await buildContentPage(store, { bodyI18n: { en: '*a*' } })
  await inStore(store.id, (tx) => ContentPage.in(tx).findById(id).patch(EARLIER))
  return findPage(store, id)
}

test('pages of an earlier renderer are rendered again in every store, and stay otherwise', async () => {
  const stores = [await buildStore(), await buildStore()]
  const before = await Promise.all(stores.map(buildEarlierPage))
  const read = (at: number) => request(`GET /pages/${before[at]?.slug}`, { store: stores[at] as BuiltStore })
  assert.equal((await read(0)).data.body_html, EARLIER.htmlI18n.en, 'control: cached as it was')

  await run()

  for (const [at, store] of stores.entries()) {
    const page = await findPage(store, before[at]?.id ?? '')
    assert.deepEqual(
      { ...page },
      {
        ...before[at],
        renderer: RENDERER,
        htmlI18n: { en: '<p><em>a</em></p>\n' },
      },
    )
    assert.equal((await read(at)).data.body_html, '<p><em>a</em></p>\n')
  }
})

test('a page of the present renderer stays', async () => {
  const store = await buildStore()
  const { id } = await buildContentPage(store)
  const kept = { htmlI18n: { en: 'as it was' } }
  await inStore(store.id, (tx) => ContentPage.in(tx).findById(id).patch(kept))

  await run()

  assert.deepEqual((await findPage(store, id)).htmlI18n, kept.htmlI18n)
})

test('a page that cannot be rendered fails the job after the others are rendered', async () => {
  const store = await buildStore()
  const complex = await buildEarlierPage(store)
  const bodyI18n = { en: '&'.repeat(300_000) }
  await inStore(store.id, (tx) => ContentPage.in(tx).findById(complex.id).patch({ bodyI18n }))
  const other = await buildEarlierPage(store)

  await assert.rejects(run(), new RegExp(`${store.id}: The page ${complex.id} is not rendered`))

  assert.equal((await findPage(store, other.id)).renderer, RENDERER)
  assert.equal((await findPage(store, complex.id)).renderer, EARLIER.renderer)
})
