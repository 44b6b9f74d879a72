import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findRecurringPlan } from '#shared/recurring-plans/recurring-plan.ts'
import { buildCategory, buildProduct } from '#test/support/builders/catalog.ts'
import {
  buildCatalogStaff,
  productEventsOf,
  TWO_VARIANT_PRODUCT,
} from '#test/support/builders/catalog-staff.ts'
import { buildPlan } from '#test/support/builders/plans.ts'
import { request } from '#test/support/processes/app.ts'

test('a deleted product is in no list, keeps its data, and frees its slug and SKUs', async () => {
  const { store, token } = await buildCatalogStaff()
  const { data } = await request('POST /admin/products', { token, body: TWO_VARIANT_PRODUCT })

  const deleted = await request(`DELETE /admin/products/${data.id}`, { token })
  const again = await request(`DELETE /admin/products/${data.id}`, { token })

  assert.partialDeepStrictEqual(deleted, { status: 200, data: null })
  assert.equal(again.status, 404)
  assert.equal((await request(`GET /admin/products/${data.id}`, { token })).status, 404)
  assert.equal((await request('GET /admin/products', { token })).meta.total, 0)
  assert.equal((await request('GET /products', { store })).meta.total, 0)
  assert.equal((await request(`GET /products/${data.slug}`, { store })).status, 404)
  const [row] = await inStore(store.id, (tx) => tx.knex('products').select('is_active', 'deleted_at'))
  assert.equal(row.is_active, false)
  assert.ok(row.deleted_at)
  assert.equal((await request('POST /admin/products', { token, body: TWO_VARIANT_PRODUCT })).status, 201)
  assert.deepEqual(
    (await productEventsOf(store)).map(({ type }) => type),
    ['product.created', 'product.deleted', 'product.created'],
  )
})

test('POST /admin/products/{product_id}/restore restores the product, unpublished', async () => {
  const { store, token } = await buildCatalogStaff()
  const { data: before } = await request('POST /admin/products', {
    token,
    body: { ...TWO_VARIANT_PRODUCT, sku: 'J' },
  })
  const line = `/admin/products/${before.id}`
  await request(`DELETE ${line}`, { token })

  const { data: gone, meta } = await request('GET /admin/products?deleted=true', { token })
  const found = await request('GET /admin/products?deleted=true&sku=J-S', { token })
  const restored = await request(`POST ${line}/restore`, { token })
  const again = await request(`POST ${line}/restore`, { token })

  assert.equal(meta.total, 1)
  assert.deepEqual(gone[0].variants, before.variants, 'the variants that can be restored')
  assert.equal(found.meta.total, 1)
  assert.ok(gone[0].deleted_at)
  assert.equal(restored.status, 200)
  const { updated_at, ...rest } = restored.data
  assert.ok(updated_at > before.updated_at)
  assert.deepEqual({ ...rest, updated_at: before.updated_at }, { ...before, is_active: false })
  assert.deepEqual((await request(`GET ${line}`, { token })).data, restored.data)
  assert.partialDeepStrictEqual(again, { status: 409, error_code: 'product.not_deleted' })
  assert.equal((await request('GET /admin/products?deleted=true', { token })).meta.total, 0)
  assert.equal((await request(`GET /products/${before.slug}`, { store })).status, 404, 'unpublished')
  await request(`PATCH ${line}`, { token, body: { is_active: true } })
  assert.equal((await request(`GET /products/${before.slug}`, { store })).status, 200)
  const events = (await productEventsOf(store)).map(({ type, data }) => ({
    type,
    isDeleted: data.deleted_at !== null,
  }))
  assert.deepEqual(events.slice(0, 3), [
    { type: 'product.created', isDeleted: false },
    { type: 'product.deleted', isDeleted: true },
    { type: 'product.updated', isDeleted: false },
  ])
})

test('POST /admin/products/{product_id}/restore with a taken slug or SKU returns 409', async () => {
  const { store, token } = await buildCatalogStaff()
  const product = await buildProduct(store, { slug: 'mug', sku: 'MUG', variants: [{ sku: 'MUG-1' }] })
  await request(`DELETE /admin/products/${product.id}`, { token })
  const restore = async () => {
    const { status, error_code } = await request(`POST /admin/products/${product.id}/restore`, { token })
    return status === 200 ? 200 : error_code
  }
  const takers = [{ slug: 'mug' }, { sku: 'MUG' }, { variants: [{ sku: 'MUG-1' }] }]
  const answers = []
  for (const taker of takers) {
    const { id } = await buildProduct(store, taker)
    answers.push(await restore())
    await request(`DELETE /admin/products/${id}`, { token })
  }

  assert.deepEqual(answers, ['product.slug_taken', 'product.sku_taken', 'product.sku_taken'])
  assert.equal(await restore(), 200)
})

test('one of a concurrent restore and create with one SKU succeeds', async () => {
  const { store, token } = await buildCatalogStaff()
  for (let round = 0; round < 5; round++) {
    const sku = `MUG-${round}`
    const { id } = await buildProduct(store, { variants: [{ sku }] })
    await request(`DELETE /admin/products/${id}`, { token })
    const body = { name_i18n: { en: 'Mug' }, price: 5, variants: [{ sku }] }

    const answers = await Promise.all([
      request(`POST /admin/products/${id}/restore`, { token }),
      request('POST /admin/products', { token, body }),
    ])

    const codes = answers.map(({ status, error_code }) => (status < 300 ? 'done' : error_code))
    assert.deepEqual(codes.sort(), ['done', 'product.sku_taken'])
  }
})

test('one of several concurrent restores succeeds', async () => {
  const { store, token } = await buildCatalogStaff()
  const { id } = await buildProduct(store)
  await request(`DELETE /admin/products/${id}`, { token })

  const answers = await Promise.all(
    [1, 2, 3].map(() => request(`POST /admin/products/${id}/restore`, { token })),
  )

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
})

test("POST …/restore and …/duplicate of an unknown or another store's product return 404", async () => {
  const [{ token }, other] = [await buildCatalogStaff(), await buildCatalogStaff()]
  const theirs = await buildProduct(other.store)
  await request(`DELETE /admin/products/${theirs.id}`, { token: other.token })

  for (const id of [newId(), theirs.id])
    for (const verb of ['restore', 'duplicate'])
      assert.equal((await request(`POST /admin/products/${id}/${verb}`, { token })).status, 404)
})

test('POST /admin/products/{product_id}/duplicate copies all but slug, SKUs, barcodes, stock and plans', async () => {
  const { store, token } = await buildCatalogStaff()
  const category = await buildCategory(store)
  const related = await buildProduct(store)
  const body = {
    ...TWO_VARIANT_PRODUCT,
    sku: 'J',
    category_ids: [category.id],
    price_rules: [{ kind: 'quantity', min_quantity: 5, price: 99 }],
    related_ids: [related.id],
    images: [{ url: 'https://images.test/1.jpg', variant_skus: ['J-M'] }],
  }
  const { data: first } = await request('POST /admin/products', { token, body })
  const plan = await buildPlan(store, { productIds: [first.id] })

  const { status, data: copy } = await request(`POST /admin/products/${first.id}/duplicate`, { token })

  assert.equal(status, 201)
  const own = ['id', 'slug', 'sku', 'images', 'variants', 'created_at', 'updated_at', 'is_active']
  const rest = (product: object) => Object.entries(product).filter(([name]) => !own.includes(name))
  assert.deepEqual(rest(copy), rest(first))
  assert.equal(copy.is_active, false)
  assert.match(copy.slug, /^walking-jacket-[0-9a-f]{8}$/)
  assert.match(copy.sku, /^J-[0-9A-F]{8}$/)
  assert.deepEqual(copy.images[0].variant_ids, [copy.variants[1].id])
  assert.deepEqual(
    copy.variants.map(({ option_values, stock_on_hand, sale_price }: typeof copy) => ({
      Size: option_values.Size,
      stock_on_hand,
      sale_price,
    })),
    [
      { Size: 'S', stock_on_hand: 0, sale_price: null },
      { Size: 'M', stock_on_hand: 0, sale_price: 149.5 },
    ],
  )
  assert.match(copy.variants[0].sku, /^J-S-[0-9A-F]{8}$/)
  const { productIds } = await inStore(store.id, (tx) => findRecurringPlan(tx, plan.id))
  assert.deepEqual(productIds, [first.id])
  assert.equal((await request(`POST /admin/products/${first.id}/duplicate`, { token })).status, 201, 'again')
})
