import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCategory, buildManufacturer, buildProduct } from '#test/support/builders/catalog.ts'
import { copyRows } from '#test/support/builders/copy-rows.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

test('GET /products/{slug} returns the product with all its parts', async () => {
  const store = await buildStore()
  const maker = await buildManufacturer(store, 'Fjord & Fen')
  const clothes = await buildCategory(store, { slug: 'clothes', nameI18n: { en: 'Clothes', de: 'Kleidung' } })
  const coats = await buildCategory(store, { slug: 'coats', nameI18n: { en: 'Coats' }, parentId: clothes.id })
  const gifts = await buildCategory(store, { slug: 'a-gifts' })
  const neighbour = await buildProduct(store, { slug: 'neighbour', categoryIds: [coats.id] })
  await buildProduct(store, { slug: 'hidden', categoryIds: [coats.id], isActive: false })
  const product = await buildProduct(store, {
    slug: 'jacket',
    nameI18n: { en: 'Jacket', de: 'Jacke' },
    descriptionI18n: { en: 'Warm' },
    seo: { title_i18n: { de: 'Jacke kaufen' } },
    manufacturerId: maker.id,
    categoryIds: [gifts.id, coats.id],
    weightGrams: 520,
    dimensions: { length: 300, width: 200, height: 50 },
    options: [{ name: 'Size', values: ['S'] }],
    images: [{ url: 'https://images.test/1.jpg', alt: 'Front', variantSkus: ['J-S'] }],
    variants: [{ sku: 'J-S', optionValues: { Size: 'S' }, stockOnHand: 0, backorder: true, barcode: '77' }],
  })

  const { data } = await request('GET /products/jacket', { store, headers: { 'Accept-Language': 'de' } })

  const variantId = product.variants[0]?.id
  const { images, created_at: _, ...page } = data
  assert.deepEqual(page, {
    id: product.id,
    slug: 'jacket',
    sku: '',
    name: 'Jacke',
    description: 'Warm',
    price: 10,
    special_price: null,
    current_price: 10,
    current_price_net: 10,
    price_net: 10,
    tax_rate: 0,
    in_stock: true,
    stock_status_name: 'Auf Nachbestellung lieferbar',
    image_url: 'https://images.test/1.jpg',
    tags: [],
    seo: { title: 'Jacke kaufen', description: '' },
    manufacturer: maker,
    weight: 520,
    dimensions: { length: 300, width: 200, height: 50 },
    options: [{ name: 'Size', values: ['S'] }],
    attributes: [],
    quantity_discounts: [],
    recurring_plans: [],
    breadcrumbs: [
      { id: clothes.id, slug: 'clothes', name: 'Kleidung' },
      { id: coats.id, slug: 'coats', name: 'Coats' },
    ],
    related: [
      {
        id: neighbour.id,
        slug: 'neighbour',
        name: data.related[0].name,
        price: 10,
        price_net: 10,
        image_url: '',
      },
    ],
    variants: [
      {
        id: variantId,
        sku: 'J-S',
        option_values: { Size: 'S' },
        price: 10,
        sale_price: null,
        current_price: 10,
        current_price_net: 10,
        price_net: 10,
        sale_starts_at: null,
        sale_ends_at: null,
        barcode: '77',
        weight: null,
        stock_available: 0,
        backorder: true,
        in_stock: true,
      },
    ],
  })
  assert.deepEqual(images, [
    {
      id: images[0].id,
      url: 'https://images.test/1.jpg',
      alt: 'Front',
      position: 0,
      variant_ids: [variantId],
    },
  ])
})

test('GET /products/{slug} of a product without category, image or stock returns empty parts', async () => {
  const store = await buildStore()
  const { slug } = await buildProduct(store, { variants: [{ stockOnHand: 0 }] })

  const { status, data } = await request(`GET /products/${slug}`, { store })

  assert.equal(status, 200)
  assert.deepEqual(
    { breadcrumbs: data.breadcrumbs, related: data.related, images: data.images },
    { breadcrumbs: [], related: [], images: [] },
  )
  assert.equal(data.in_stock, false)
  assert.equal(data.stock_status_name, 'Out of stock')
})

test('an unpublished variant is left out', async () => {
  const store = await buildStore()
  const { slug } = await buildProduct(store, { variants: [{ isActive: false }] })

  const { data } = await request(`GET /products/${slug}`, { store })

  assert.deepEqual(data.variants, [])
  assert.equal(data.in_stock, false)
})

test("an unknown, unpublished or another store's product returns 404", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  await buildProduct(store, { slug: 'hidden', isActive: false })
  await buildProduct(other, { slug: 'theirs' })

  for (const slug of ['none', 'hidden', 'theirs', 'NONE%20x', "'--", 'x'.repeat(300)]) {
    const { status, error_code } = await request(`GET /products/${slug}`, { store })
    assert.equal(status, 404, slug)
    assert.equal(error_code, 'resource.not_found')
  }
})

test('two stores can have products with the same slug', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const mine = await buildProduct(store, { slug: 'mug' })
  const theirs = await buildProduct(other, { slug: 'mug' })

  assert.equal((await request('GET /products/mug', { store })).data.id, mine.id)
  assert.equal((await request('GET /products/mug', { store: other })).data.id, theirs.id)
})

test('related products of the category are searched among its newest 1000', async () => {
  const store = await buildStore()
  const category = await buildCategory(store)
  const of = { categoryIds: [category.id] }
  const published = await buildProduct(store, of)
  const hidden = await buildProduct(store, { ...of, isActive: false })
  const { slug } = await buildProduct(store, of)

  await addNewerCopies(store, hidden, { category, count: 998 })
  assert.partialDeepStrictEqual((await readUncached(store, slug)).related, [{ id: published.id }])
  await addNewerCopies(store, hidden, { category, count: 1 })
  assert.deepEqual((await readUncached(store, slug)).related, [])
})

let lastPostcode = 10_000

/** Reads a product at a postcode that no request had before, because a cached response has the old related products. */
async function readUncached(store: BuiltStore, slug: string) {
  lastPostcode += 1
  return (await request(`GET /products/${slug}?country=DE&postcode=${lastPostcode}`, { store })).data
}

/** SQL: a random id that sorts after the ids of products made now, which begin with the time. */
const NEWER_ID = "overlay(gen_random_uuid()::text placing 'f' from 1)"

/** Adds copies of a product to a category. They are its newest products. */
const addNewerCopies = (
  store: BuiltStore,
  { id }: { id: string },
  { category, count }: { category: { id: string }; count: number },
) =>
  inStore(store.id, async ({ knex }) => {
    const copies = await copyRows(knex, {
      table: 'products',
      of: { id },
      from: 'generate_series(1, ?::int) n',
      changes: `'id', ${NEWER_ID}, 'slug', gen_random_uuid(), 'sku', null`,
      values: [count],
    })
    await knex('product_categories').insert(
      copies.map((product_id) => ({ store_id: store.id, category_id: category.id, product_id })),
    )
  })
