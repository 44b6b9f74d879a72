import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { stopClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

const TERMS = { title_i18n: { en: 'Terms of sale' } }

/** Staff of a store and what they do with its pages. Pages with bodies take longer: a process renders each. */
async function scene() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'content' })
  const create = (body: object = {}) => request('POST /admin/pages', { token, body: { ...TERMS, ...body } })
  const change = (id: string, body: object, headers = {}) =>
    request(`PATCH /admin/pages/${id}`, { token, body, headers })
  const read = (id: string) => request(`GET /admin/pages/${id}`, { token })
  const preview = (id: string) => request(`GET /admin/pages/${id}/preview`, { token })
  const remove = (id: string) => request(`DELETE /admin/pages/${id}`, { token })
  const list = () => request('GET /admin/pages', { token })
  return { store, create, change, read, preview, remove, list }
}

test('POST /admin/pages creates a published page from a title', async () => {
  stopClock()
  const { create, read } = await scene()

  const made = await create()

  assert.equal(made.status, 201)
  const { id, created_at, updated_at, published_at, ...rest } = made.data
  assert.deepEqual({ updated_at, published_at }, { updated_at: created_at, published_at: created_at })
  assert.deepEqual(rest, {
    ...TERMS,
    slug: 'terms-of-sale',
    body_i18n: {},
    seo: {},
    position: 'none',
    sort_order: 0,
    is_active: true,
  })
  const found = await read(id)
  assert.deepEqual(found.data, made.data)
  assert.equal(found.headers.get('etag'), made.headers.get('etag'))
})

test('a changed page keeps the fields that the change does not name', async () => {
  const { create, change, read } = await scene()
  const { data } = await create({ position: 'footer', sort_order: 3 })

  const changed = await change(data.id, { title_i18n: { en: 'Terms', de: 'AGB' }, published_at: null })

  assert.partialDeepStrictEqual(changed.data, {
    slug: data.slug,
    title_i18n: { en: 'Terms', de: 'AGB' },
    position: 'footer',
    sort_order: 3,
    published_at: null,
  })
  assert.deepEqual((await read(data.id)).data, changed.data)
})

test('PATCH with the ETag of an earlier state returns 412', async () => {
  const { create, change, read } = await scene()
  const { data, headers } = await create()
  const ifMatch = { 'If-Match': headers.get('etag') ?? '' }

  const first = await change(data.id, { sort_order: 1 }, ifMatch)
  const second = await change(data.id, { sort_order: 2 }, ifMatch)

  assert.deepEqual({ first: first.status, second: second.status }, { first: 200, second: 412 })
  assert.equal((await read(data.id)).data.sort_order, 1)
})

test('a slug that another page has returns page.slug_taken and changes nothing', async () => {
  const { create, change, read, list } = await scene()
  await create({ slug: 'terms' })
  const { data } = await create({ slug: 'imprint' })

  const [created, changed] = [await create({ slug: 'terms' }), await change(data.id, { slug: 'terms' })]

  for (const refused of [created, changed])
    assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'page.slug_taken' })
  assert.deepEqual((await read(data.id)).data, data)
  assert.equal((await list()).meta.total, 2)
})

test('two stores can have a page with the same slug', async () => {
  const [one, other] = [await scene(), await scene()]
  await one.create({ slug: 'terms' })

  assert.equal((await other.create({ slug: 'terms' })).status, 201)
})

test('a deleted page is neither found nor listed, and its slug is free', async () => {
  const { create, read, remove, change, preview, list } = await scene()
  const { data } = await create()

  const removed = await remove(data.id)

  assert.partialDeepStrictEqual(removed, { status: 200, data: null })
  for (const { status } of [
    await read(data.id),
    await change(data.id, { sort_order: 1 }),
    await preview(data.id),
    await remove(data.id),
  ])
    assert.equal(status, 404)
  assert.deepEqual((await list()).data, [])
  assert.equal((await create()).data.slug, data.slug)
})

test('another store finds no page', async () => {
  const { create } = await scene()
  const { data } = await create()
  const other = await scene()

  assert.equal((await other.read(data.id)).status, 404)
  assert.equal((await other.preview(data.id)).status, 404)
  assert.equal((await other.change(data.id, { is_active: false })).status, 404)
  assert.equal((await other.remove(data.id)).status, 404)
  assert.deepEqual((await other.list()).data, [])
})
