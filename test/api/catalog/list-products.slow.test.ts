import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCategory, buildProduct } from '#test/support/builders/catalog.ts'
import { buildCatalogStaff, TWO_VARIANT_PRODUCT } from '#test/support/builders/catalog-staff.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

test('GET /admin/products filters, sorts and pages', async () => {
  const { store, token } = await buildCatalogStaff()
  const category = await buildCategory(store)
  const build = (day: number, given: object) => {
    freezeClock(new Date(`2026-03-0${day}T00:00:00Z`))
    return buildProduct(store, given)
  }
  await build(1, { slug: 'lamp', nameI18n: { en: 'Lamp' }, priceMinor: 300n, categoryIds: [category.id] })
  await build(2, { slug: 'mug', nameI18n: { en: 'Mug' }, priceMinor: 100n, sku: 'MUG', isActive: false })
  await build(3, {
    slug: 'coat',
    nameI18n: { en: 'Warm coat' },
    priceMinor: 200n,
    variants: [{ sku: 'C-1' }],
  })
  freezeClock(new Date())
  const { token: fresh } = await buildStaff(store, { role: 'analyst' })
  const slugs = async (query: string) => {
    const { data } = await request(`GET /admin/products${query}`, { token: fresh })
    return data.map(({ slug }: { slug: string }) => slug)
  }

  assert.deepEqual(await slugs(''), ['coat', 'mug', 'lamp'])
  assert.deepEqual(await slugs('?sort=created_at'), ['lamp', 'mug', 'coat'])
  assert.deepEqual(await slugs('?sort=price'), ['mug', 'coat', 'lamp'])
  assert.deepEqual(await slugs('?sort=-name'), ['coat', 'mug', 'lamp'])
  assert.deepEqual(await slugs('?sort=-updated_at&page=2&page_size=2'), ['lamp'])
  assert.deepEqual(await slugs('?q=coats'), ['coat'])
  assert.deepEqual(await slugs('?q=oat'), ['coat'])
  assert.deepEqual(await slugs('?q=%25'), [])
  assert.deepEqual(await slugs('?q=C-1'), ['coat'])
  assert.deepEqual(await slugs('?sku=MUG'), ['mug'])
  assert.deepEqual(await slugs('?is_active=true'), ['coat', 'lamp'])
  assert.deepEqual(await slugs(`?category_id=${category.id}`), ['lamp'])
  assert.deepEqual(await slugs('?created_from=2026-03-02T00:00:00Z&created_to=2026-03-03T00:00:00Z'), ['mug'])
  assert.equal((await request('GET /admin/products?page_size=1', { token })).meta.total_pages, 3)
  assert.equal((await request('GET /admin/products?colour=red', { token })).status, 422)
  assert.equal((await request('GET /admin/products?created_from=yesterday', { token })).status, 422)
})

test('reading needs catalog:read, changing catalog:write', async () => {
  const { store } = await buildCatalogStaff()
  const { id } = await buildProduct(store)
  const { token: analyst } = await buildStaff(store, { role: 'analyst' })
  const { token: accounting } = await buildStaff(store, { role: 'accounting' })
  const status = async (line: string, token: string, body?: object) =>
    (await request(line, { token, ...(body ? { body } : {}) })).status

  assert.equal(await status('GET /admin/products', analyst), 200)
  assert.equal(await status('GET /admin/products', accounting), 403)
  assert.equal(await status('POST /admin/products', analyst, TWO_VARIANT_PRODUCT), 403)
  assert.equal(await status(`PATCH /admin/products/${id}`, analyst, { price: 1 }), 403)
  assert.equal(await status(`DELETE /admin/products/${id}`, analyst), 403)
})

test('the product with exactly the searched SKU or name comes first, unless a sort is asked for', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  const bySku = await buildProduct(store, { slug: 'by-sku', variants: [{ sku: 'kx1' }] })
  const byName = await buildProduct(store, { slug: 'by-name', nameI18n: { en: 'KX1' } })
  const similar = await buildProduct(store, { slug: 'similar', nameI18n: { en: 'KX1 stand' } })
  const list = async (query: string) => {
    const { data } = await request(`GET /admin/products?${query}`, { token })
    return data.map(({ slug }: { slug: string }) => slug)
  }

  assert.deepEqual(await list('q=kx1'), [bySku.slug, byName.slug, similar.slug])
  assert.deepEqual(await list('q=kx1&sort=-created_at'), [similar.slug, byName.slug, bySku.slug])
})
