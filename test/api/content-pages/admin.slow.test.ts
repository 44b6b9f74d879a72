import assert from 'node:assert/strict'
import diagnosticsChannel from 'node:diagnostics_channel'
import { test } from 'node:test'
import '#test/support/database.ts'
import { ContentPage } from '#shared/content-pages/content-page.ts'
import { MAX_BODY } from '#shared/content-pages/limits.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildContentPage } from '#test/support/builders/content-pages.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'

const TERMS = { title_i18n: { en: 'Terms of sale' } }

async function scene(given: Parameters<typeof buildStore>[0] = {}) {
  const store = await buildStore(given)
  const { token } = await buildStaff(store, { role: 'content' })
  const create = (body: object = {}) => request('POST /admin/pages', { token, body: { ...TERMS, ...body } })
  const change = (id: string, body: object, headers = {}) =>
    request(`PATCH /admin/pages/${id}`, { token, body, headers })
  const read = (id: string) => request(`GET /admin/pages/${id}`, { token })
  const preview = (id: string, query = '', headers = {}) =>
    request(`GET /admin/pages/${id}/preview${query}`, { token, headers })
  const remove = (id: string) => request(`DELETE /admin/pages/${id}`, { token })
  const list = (query = '') => request(`GET /admin/pages${query}`, { token })
  return { store, token, create, change, read, preview, remove, list }
}

test('POST /admin/pages saves all fields', async () => {
  const { create, read } = await scene()
  const page = {
    slug: 'shipping',
    title_i18n: { en: 'Shipping', de: 'Versand' },
    body_i18n: { en: '# Parcels', de: '# Pakete' },
    seo: { title_i18n: { en: 'How we ship' }, description_i18n: { en: 'Parcels and prices' } },
    position: 'footer',
    sort_order: 3,
    is_active: false,
    published_at: '2030-01-01T00:00:00.000Z',
  }

  const { data } = await create(page)

  assert.partialDeepStrictEqual(data, page)
  assert.deepEqual((await read(data.id)).data, data)
})

test('PATCH replaces the given fields; absent fields stay', async () => {
  const { create, change, preview } = await scene()
  const { data } = await create({ body_i18n: { en: 'a', de: 'b' }, position: 'footer' })

  const changed = await change(data.id, { body_i18n: { en: '*c*' }, published_at: null })

  assert.partialDeepStrictEqual(changed.data, {
    ...TERMS,
    slug: data.slug,
    body_i18n: { en: '*c*' },
    position: 'footer',
    published_at: null,
  })
  assert.deepEqual(changed.data.body_i18n, { en: '*c*' })
  assert.equal((await preview(data.id)).data.body_html, '<p><em>c</em></p>\n')
})

test('pages with the same title get different slugs, also when they are created concurrently', async () => {
  const { create } = await scene({ languages: ['de', 'en'] })
  const titles = { title_i18n: { en: 'Terms', de: 'AGB für Käufer' } }

  const made = await Promise.all([create(titles), create(titles), create({ title_i18n: { de: '条件' } })])

  const slugs = made.map(({ data }) => data.slug)
  assert.equal(new Set(slugs).size, 3)
  assert.ok(slugs.includes('agb-fur-kaufer'))
  assert.match(slugs[2], /^page-[0-9a-f]{8}$/)
})

test('one of 20 concurrent pages with one slug is created', async () => {
  const { create, list } = await scene()

  const made = await Promise.all(Array.from({ length: 20 }, () => create({ slug: 'terms' })))

  const statuses = made.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, ...Array(19).fill(409)])
  assert.equal((await list()).meta.total, 1)
})

const INVALID: Record<string, [body: object, loc: (string | number)[]]> = {
  'without a title': [{ title_i18n: {} }, ['title_i18n']],
  'with a blank title': [{ title_i18n: { en: ' ' } }, ['title_i18n', 'en']],
  'with a slug in capitals': [{ slug: 'Terms' }, ['slug']],
  'with a slash in its slug': [{ slug: 'terms/sale' }, ['slug']],
  'with a body of an unknown type': [{ body_i18n: { en: 1 } }, ['body_i18n', 'en']],
  'with a body above the maximum': [{ body_i18n: { en: 'a'.repeat(MAX_BODY + 1) } }, ['body_i18n', 'en']],
  'at an unknown position': [{ position: 'sidebar' }, ['position']],
  'with a negative sort order': [{ sort_order: -1 }, ['sort_order']],
  'published at no time': [{ published_at: 'soon' }, ['published_at']],
  'with HTML of its own': [{ html_i18n: { en: '<b>' } }, ['html_i18n']],
}

for (const [name, [body, loc]] of Object.entries(INVALID))
  test(`a page ${name} returns 422, names body.${loc.join('.')} and changes nothing`, async () => {
    const { create, change, read, list } = await scene()
    const { data } = await create()

    const { status, detail } = await change(data.id, body)

    assert.deepEqual({ status, loc: detail?.[0]?.loc }, { status: 422, loc: ['body', ...loc] })
    assert.deepEqual((await read(data.id)).data, data)
    assert.equal((await create(body)).status, 422)
    assert.equal((await list()).meta.total, 1)
  })

test('a body that yields too much HTML returns page.body_too_complex and changes nothing', async () => {
  const { create, change, read, list } = await scene()
  const { data } = await create({ body_i18n: { en: 'short' } })
  const body = { body_i18n: { en: `a|b\n:-:|:-:\n${'|\n'.repeat(MAX_BODY / 2 - 8)}` } }

  const [created, changed] = [await create(body), await change(data.id, body)]

  for (const refused of [created, changed])
    assert.partialDeepStrictEqual(refused, { status: 422, error_code: 'page.body_too_complex' })
  assert.deepEqual((await read(data.id)).data, data)
  assert.equal((await list()).meta.total, 1)
})

test('a page of the maximal size is saved and rendered', async () => {
  const { create, preview } = await scene()
  const text = 'Terms of *sale*, in [full](/terms).\n\n'
  const en = text.repeat(MAX_BODY / text.length).slice(0, MAX_BODY)

  const { status, data } = await create({ body_i18n: { en } })

  assert.equal(status, 201)
  assert.ok((await preview(data.id)).data.body_html.startsWith('<p>Terms of <em>sale</em>'))
})

test('staff preview a page that is not public, in a language of their choice', async () => {
  const { create, preview } = await scene()
  const { data } = await create({
    title_i18n: { en: 'Terms', de: 'AGB' },
    body_i18n: { en: '# Terms <script>hit()</script>', de: '# AGB' },
    is_active: false,
    published_at: null,
  })

  const german = await preview(data.id, '?language=de')
  const accepted = await preview(data.id, '', { 'Accept-Language': 'de' })
  const unknown = await preview(data.id, '?language=pt-BR')

  assert.partialDeepStrictEqual(german.data, { title: 'AGB', body_markdown: '# AGB', published_at: null })
  assert.equal(german.data.body_html, '<h1>AGB</h1>\n')
  assert.deepEqual(accepted.data, german.data)
  assert.partialDeepStrictEqual(unknown.data, { title: 'Terms', body_html: '<h1>Terms </h1>\n' })
  assert.equal((await preview(data.id, '?language=*')).status, 422)
})

test('the list filters by position, state and words, and sorts', async () => {
  const { create, list } = await scene()
  const last = await create({ sort_order: 2, position: 'footer', title_i18n: { de: 'Rückgabe' } })
  const first = await create({ sort_order: 1, position: 'footer', slug: 'b', title_i18n: { en: 'Shipping' } })
  const off = await create({ sort_order: 1, slug: 'a', is_active: false })
  const idsOf = async (query?: string) => (await list(query)).data.map(({ id }: { id: string }) => id)

  assert.deepEqual(await idsOf(), [off.data.id, first.data.id, last.data.id])
  assert.deepEqual(await idsOf('?sort=-sort_order'), [last.data.id, first.data.id, off.data.id])
  assert.deepEqual(await idsOf('?position=footer'), [first.data.id, last.data.id])
  assert.deepEqual(await idsOf('?is_active=false'), [off.data.id])
  assert.deepEqual(await idsOf('?q=rück'), [last.data.id])
  assert.deepEqual(await idsOf('?q=ship'), [first.data.id])
})

test('the list has no bodies, and its number of statements does not grow with it', async () => {
  const { store, list } = await scene()
  await buildContentPage(store)
  await list()
  const one = await countQueries(() => list())
  for (let i = 0; i < 5; i++) await buildContentPage(store)

  assert.equal(await countQueries(() => list()), one)
  const [{ body_i18n, title_i18n }] = (await list()).data
  assert.equal(body_i18n, undefined)
  assert.equal(typeof title_i18n, 'object')
})

test('the HTML of a page is not read when staff read or change the page', async () => {
  const { store, change, read } = await scene()
  const { id } = await buildContentPage(store)
  // More bytes than a read, or a statement of a change, may take from the database.
  const htmlI18n = { en: 'x'.repeat(17 * 1024 * 1024) }
  await inStore(store.id, (tx) => ContentPage.in(tx).findById(id).patch({ htmlI18n }))

  assert.equal((await read(id)).status, 200)
  assert.equal((await change(id, { sort_order: 2 })).status, 200)
})

test('each change of a page is in the audit log with the page before and after', async () => {
  const { store, create, change, remove } = await scene()
  const { data } = await create({ body_i18n: { en: 'a' } })
  await change(data.id, { body_i18n: { en: 'b' } })
  await remove(data.id)
  const { token } = await buildStaff(store, { role: 'owner' })

  const { data: log } = await request(`GET /admin/audit-log?resource_id=${data.id}&sort=created_at`, {
    token,
  })

  const bodies = log.map(({ action, before, after }: Record<string, { body_i18n?: unknown } | null>) => ({
    action,
    before: before?.body_i18n,
    after: after?.body_i18n,
  }))
  assert.deepEqual(bodies, [
    { action: 'postAdminPages', before: undefined, after: { en: 'a' } },
    { action: 'patchAdminPagesPageId', before: { en: 'a' }, after: { en: 'b' } },
    { action: 'deleteAdminPagesPageId', before: { en: 'b' }, after: undefined },
  ])
})

test('an idempotency key makes one page of two requests', async () => {
  const { token, list } = await scene()
  const sent = { token, key: 'once', body: { ...TERMS, body_i18n: { en: 'a' } } }

  const [first, second] = [await request('POST /admin/pages', sent), await request('POST /admin/pages', sent)]

  assert.deepEqual(second.data, first.data)
  assert.equal((await list()).meta.total, 1)
})

/** Resolves when this process starts another one. */
function nextProcess(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const onStart = () => {
    diagnosticsChannel.unsubscribe('child_process', onStart)
    resolve()
  }
  diagnosticsChannel.subscribe('child_process', onStart)
  return promise
}

test('a session that ends while the body is rendered changes nothing', async () => {
  const { create, list } = await scene()
  const rendering = nextProcess()
  const creating = create({ body_i18n: { en: 'a' } })
  await rendering
  moveClock(DAY_MS)

  const { status } = await creating

  assert.equal(status, 401)
  moveClock(0)
  assert.deepEqual((await list()).data, [])
})
