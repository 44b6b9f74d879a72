import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { buildCategory, buildProduct } from '#test/support/builders/catalog.ts'
import {
  buildCatalogStaff,
  productEventsOf,
  TWO_VARIANT_PRODUCT,
} from '#test/support/builders/catalog-staff.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

test('PATCH keeps omitted fields, and the storefront shows the change immediately', async () => {
  const { store, token } = await buildCatalogStaff()
  const category = await buildCategory(store)
  const { data: before } = await request('POST /admin/products', { token, body: TWO_VARIANT_PRODUCT })
  await request('GET /products', { store })

  const changed = await request(`PATCH /admin/products/${before.id}`, {
    token,
    body: { name_i18n: { en: 'Mug' }, price: 12.5, category_ids: [category.id], slug: 'mug', tags: ['new'] },
  })

  const { updated_at, ...rest } = before
  const { updated_at: later, ...now } = changed.data
  assert.equal(changed.status, 200)
  assert.deepEqual(now, {
    ...rest,
    name_i18n: { en: 'Mug' },
    price: 12.5,
    category_ids: [category.id],
    slug: 'mug',
    tags: ['new'],
  })
  assert.ok(later > updated_at)
  const { data: listed } = await request('GET /products?q=mug', { store })
  assert.deepEqual(
    listed.map(({ name, price }: { name: string; price: number }) => ({ name, price })),
    [{ name: 'Mug', price: 12.5 }],
  )
  assert.deepEqual((await request('GET /products?q=jacket', { store })).data, [])
  assert.equal((await request(`GET /admin/products/${before.id}`, { token })).data.updated_at, later)
  assert.deepEqual(
    (await productEventsOf(store)).map(({ type }) => type),
    ['product.created', 'product.updated'],
  )
})

test('an unpublished product is in the admin list and can be published again', async () => {
  const { store, token } = await buildCatalogStaff()
  const { id, slug } = await buildProduct(store)
  const patch = (is_active: boolean) => request(`PATCH /admin/products/${id}`, { token, body: { is_active } })

  await patch(false)
  assert.equal((await request(`GET /products/${slug}`, { store })).status, 404)
  assert.equal((await request('GET /admin/products?is_active=false', { token })).meta.total, 1)
  await patch(true)
  assert.equal((await request(`GET /products/${slug}`, { store })).status, 200)
})

test('rearranged images keep their ids', async () => {
  const { store, token } = await buildCatalogStaff()
  const image = (url: string) => ({ url: `https://images.test/${url}.jpg`, alt: url, variantSkus: [] })
  const { id, variants } = await buildProduct(store, { images: [image('a'), image('b')] })
  const { data } = await request(`GET /admin/products/${id}`, { token })
  const [a, b] = data.images

  const changed = await request(`PATCH /admin/products/${id}`, {
    token,
    body: {
      images: [
        { id: b.id, url: b.url, alt: 'Back', variant_ids: [variants[0]?.id] },
        { id: a.id, url: a.url },
        { id: a.id, url: 'https://images.test/c.jpg' },
      ],
    },
  })
  const unknown = await request(`PATCH /admin/products/${id}`, {
    token,
    body: { images: [{ url: b.url, variant_ids: [newId()] }] },
  })

  const [first, second, third] = changed.data.images
  assert.deepEqual(first, { ...b, alt: 'Back', position: 0, variant_ids: [variants[0]?.id] })
  assert.deepEqual(second, { ...a, alt: '', position: 1 })
  assert.notEqual(third.id, a.id)
  assert.equal(unknown.status, 422)
})

test('new options must match the existing variants', async () => {
  const { token } = await buildCatalogStaff()
  const { data } = await request('POST /admin/products', { token, body: TWO_VARIANT_PRODUCT })
  const patch = (options: object[]) =>
    request(`PATCH /admin/products/${data.id}`, { token, body: { options } })
  const [size, colour] = TWO_VARIANT_PRODUCT.options as [object, object]

  const wider = await patch([{ ...size, values: ['S', 'M', 'L'] }, colour])
  const narrower = await patch([{ ...size, values: ['S'] }, colour])
  const fewer = await patch([size])
  const twice = await patch([size, size])

  assert.equal(wider.status, 200)
  assert.deepEqual(
    [narrower, fewer, twice].map(({ status }) => status),
    [422, 422, 422],
  )
  assert.deepEqual(narrower.detail[0].loc, ['body', 'options'])
})

test('PATCH with an outdated ETag returns 412', async () => {
  const { store, token } = await buildCatalogStaff()
  freezeClock(new Date())
  const { id } = await buildProduct(store)
  const etag = (await request(`GET /admin/products/${id}`, { token })).headers.get('ETag') ?? ''
  const patch = (price: number, tag: string) =>
    request(`PATCH /admin/products/${id}`, { token, body: { price }, headers: { 'If-Match': tag } })

  const first = await patch(1, etag)
  const stale = await patch(2, etag)
  const fresh = await patch(3, first.headers.get('ETag') ?? '')

  assert.equal(first.status, 200)
  assert.partialDeepStrictEqual(stale, { status: 412, error_code: 'resource.changed' })
  assert.equal(fresh.status, 200)
})

test('PATCH with the slug of another product returns 409', async () => {
  const { store, token } = await buildCatalogStaff()
  await buildProduct(store, { slug: 'taken' })
  const { id } = await buildProduct(store, { slug: 'own' })
  const patch = (slug: string) => request(`PATCH /admin/products/${id}`, { token, body: { slug } })

  const taken = await patch('taken')

  assert.partialDeepStrictEqual(taken, { status: 409, error_code: 'product.slug_taken' })
  assert.equal((await patch('own')).status, 200)
})
