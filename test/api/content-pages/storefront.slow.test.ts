import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildContentPage } from '#test/support/builders/content-pages.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { freezeClock, moveClock } from '#test/support/clock.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { request } from '#test/support/processes/app.ts'
import { assertSafe } from '#test/support/requests/safe-html.ts'
import { XSS_VECTORS } from '#test/support/requests/xss-vectors.ts'

const readOf =
  (store: BuiltStore) =>
  (slug: string, headers = {}) =>
    request(`GET /pages/${slug}`, { store, headers })

async function slugs(store: BuiltStore, query = ''): Promise<string[]> {
  const { data } = await request(`GET /pages${query}`, { store })
  return data.map(({ slug }: { slug: string }) => slug)
}

test('GET /pages/{slug} shows a published page in the language of the request', async () => {
  const store = await buildStore()
  await buildContentPage(store, {
    slug: 'shipping',
    titleI18n: { en: 'Shipping', de: 'Versand' },
    bodyI18n: { en: '**Two** days', de: '**Zwei** Tage' },
    seo: { title_i18n: { en: 'How we ship' }, description_i18n: { de: 'Pakete' } },
    position: 'footer',
    sortOrder: 3,
  })
  const read = readOf(store)

  const { data } = await read('shipping')
  const german = await read('shipping', { 'Accept-Language': 'de' })
  const french = await read('shipping', { 'Accept-Language': 'fr' })

  const { id: _, created_at, updated_at, published_at, ...page } = data
  assert.deepEqual({ updated_at, published_at }, { updated_at: created_at, published_at: created_at })
  assert.deepEqual(page, {
    slug: 'shipping',
    title: 'Shipping',
    body_markdown: '**Two** days',
    body_html: '<p><strong>Two</strong> days</p>\n',
    seo: { title: 'How we ship', description: 'Pakete' },
    position: 'footer',
    sort_order: 3,
  })
  assert.partialDeepStrictEqual(german.data, {
    title: 'Versand',
    body_markdown: '**Zwei** Tage',
    body_html: '<p><strong>Zwei</strong> Tage</p>\n',
  })
  assert.deepEqual(french.data, data)
})

test('a page without a text in the default language shows text and HTML in one other language', async () => {
  const store = await buildStore()
  await buildContentPage(store, { slug: 'a', bodyI18n: { pt: 'um', es: 'uno', 'zh-Hant': '一' } })

  const { body_markdown, body_html } = (await readOf(store)('a')).data

  assert.equal(body_html, `<p>${body_markdown}</p>\n`)
})

test('GET /pages lists published pages in their order, without their bodies', async () => {
  const store = await buildStore()
  await buildContentPage(store, { slug: 'b', sortOrder: 1, position: 'footer' })
  await buildContentPage(store, { slug: 'c', sortOrder: 0, position: 'header' })
  await buildContentPage(store, { slug: 'a', sortOrder: 1, position: 'footer' })
  await buildContentPage(store, { slug: 'inactive', isActive: false })
  await buildContentPage(store, { slug: 'draft', publishedAt: null })
  await buildContentPage(await buildStore(), { slug: 'elsewhere' })

  const { data, meta } = await request('GET /pages', { store })

  assert.deepEqual(Object.keys(data[0]), [
    ...['id', 'slug', 'title', 'position', 'sort_order', 'published_at', 'updated_at'],
  ])
  assert.deepEqual(meta, { page: 1, page_size: 20, total: 3, total_pages: 1 })
  assert.deepEqual(await slugs(store), ['c', 'a', 'b'])
  assert.deepEqual(await slugs(store, '?position=footer'), ['a', 'b'])
  assert.deepEqual(await slugs(store, '?position=none'), [])
  assert.deepEqual(await slugs(store, '?page=2&page_size=2'), ['b'])
})

test('two stores have different pages at the same address', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  await buildContentPage(store, { slug: 'terms', bodyI18n: { en: 'mine' } })
  await buildContentPage(other, { slug: 'terms', bodyI18n: { en: 'theirs' } })
  const bodyOf = async (of: BuiltStore) => (await readOf(of)('terms')).data.body_markdown

  for (let i = 0; i < 2; i++) {
    assert.equal(await bodyOf(store), 'mine')
    assert.equal(await bodyOf(other), 'theirs')
  }
})

test('a read is cached: an ETag, Cache-Control, Vary, 304, and no statement for the page', async () => {
  const store = await buildStore()
  await buildContentPage(store, { slug: 'terms' })
  const read = readOf(store)

  const { headers } = await read('terms')
  const unchanged = await read('terms', {
    'If-None-Match': headers.get('etag') ?? '',
    'Cache-Control': 'max-age=0',
  })
  const statements = await countStatements(() => read('terms'))

  assert.equal(headers.get('cache-control'), 'private, max-age=5, stale-while-revalidate=30')
  assert.match(headers.get('vary') ?? '', /X-Service-Key, Host, Accept-Language/)
  assert.equal(unchanged.status, 304)
  assert.equal(statements, 1, 'the store alone')
})

test('a cached page and list show each change immediately', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'content' })
  const read = readOf(store)
  const create = (body: object) => request('POST /admin/pages', { token, body })
  assert.deepEqual(await slugs(store), [])
  const { data } = await create({ slug: 'terms', title_i18n: { en: 'Terms' }, body_i18n: { en: 'a' } })
  const change = (body: object) => request(`PATCH /admin/pages/${data.id}`, { token, body })

  assert.equal((await read('terms')).data.body_markdown, 'a')
  assert.deepEqual(await slugs(store), ['terms'])
  await change({ body_i18n: { en: 'b' } })
  assert.equal((await read('terms')).data.body_html, '<p>b</p>\n')
  await change({ is_active: false })
  assert.equal((await read('terms')).status, 404)
  assert.deepEqual(await slugs(store), [])
  await change({ is_active: true, slug: 'sale' })
  assert.equal((await read('terms')).status, 404)
  assert.equal((await read('sale')).status, 200)
  assert.deepEqual(await slugs(store), ['sale'])
  await request(`DELETE /admin/pages/${data.id}`, { token })
  assert.equal((await read('sale')).status, 404)
  assert.deepEqual(await slugs(store), [])
})

test('a scheduled page appears at its publication time, also in a cached list', async () => {
  const store = await buildStore()
  const at = new Date('2030-05-01T12:00:00.000Z')
  freezeClock(new Date(at.getTime() - 2_500))
  await buildContentPage(store, { slug: 'now' })
  await buildContentPage(store, { slug: 'later', publishedAt: at })
  await buildContentPage(store, { slug: 'much-later', publishedAt: new Date(at.getTime() + 60_000) })
  const list = () => request('GET /pages', { store })

  const before = await list()
  assert.equal(before.data.length, 1)
  assert.equal(before.meta.total, 1)
  assert.equal(before.headers.get('cache-control'), 'private, max-age=2, stale-while-revalidate=0')
  freezeClock(new Date(at.getTime() - 1))
  assert.equal((await list()).data.length, 1)
  assert.equal((await list()).headers.get('cache-control'), 'private, max-age=0, stale-while-revalidate=0')
  assert.equal((await readOf(store)('later')).status, 404)
  freezeClock(at)

  assert.deepEqual(await slugs(store), ['later', 'now'])
  assert.equal((await readOf(store)('later')).status, 200)
  const { headers } = await list()
  assert.equal(headers.get('cache-control'), 'private, max-age=5, stale-while-revalidate=30')
})

test('a list that ends in an hour is cached as any other', async () => {
  const store = await buildStore()
  await buildContentPage(store, { publishedAt: new Date(Date.now() + 3_600_000) })

  const { headers } = await request('GET /pages', { store })

  assert.equal(headers.get('cache-control'), 'private, max-age=5, stale-while-revalidate=30')
  moveClock(0)
})

/** Reads a page until `isDone`, and counts the reads that are older than a change that was saved before the read. */
async function countStale(
  read: () => Promise<number>,
  { saved, isDone }: { saved: () => number; isDone: () => boolean },
) {
  let [reads, stale] = [0, 0]
  while (!isDone()) {
    const atLeast = saved()
    reads += 1
    if ((await read()) < atLeast) stale += 1
  }
  return { reads, stale }
}

test('no read that follows a change shows an older page, while writers and readers race', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'content' })
  const { id, slug } = await buildContentPage(store, { titleI18n: { en: '0' }, bodyI18n: { en: '0' } })
  let [saved, isDone] = [0, false]
  const writer = async () => {
    for (let version = 1; version <= 25; version++) {
      const texts = { title_i18n: { en: `${version}` }, body_i18n: { en: `${version}` } }
      const { status } = await request(`PATCH /admin/pages/${id}`, { token, body: texts })
      assert.equal(status, 200)
      saved = version
    }
    isDone = true
  }
  const state = { saved: () => saved, isDone: () => isDone }
  const readPage = async () => Number((await readOf(store)(slug)).data.body_html.replace(/\D/g, ''))
  const readTitle = async () => Number((await request('GET /pages', { store })).data[0].title)
  let kept: Promise<number> | undefined
  const readNaively = () => {
    kept ??= readPage()
    return kept
  }

  const [pages, lists, naive] = await Promise.all([
    countStale(readPage, state),
    countStale(readTitle, state),
    countStale(async () => {
      await readTitle()
      return readNaively()
    }, state),
    writer(),
  ])

  assert.deepEqual({ pages: pages.stale, lists: lists.stale }, { pages: 0, lists: 0 })
  assert.ok(pages.reads > 25 && lists.reads > 25, `${pages.reads} and ${lists.reads} reads`)
  assert.ok(naive.stale > 0, 'control: a cache that does not know of changes is stale')
})

test('no page carries a script, whatever its Markdown', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'content' })
  const vectors = Object.values(XSS_VECTORS).filter((vector) => !vector.includes('\0'))
  const body_i18n = { en: vectors.join('\n\n') }
  const body = { slug: 'vectors', title_i18n: { en: 'Vectors' }, body_i18n }

  assert.equal((await request('POST /admin/pages', { token, body })).status, 201)

  assertSafe((await readOf(store)('vectors')).data.body_html)
})
