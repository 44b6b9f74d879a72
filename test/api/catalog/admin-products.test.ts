import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import type { Knex } from 'knex'
import { listAdminProducts } from '#shared/catalog/search/list-admin-products.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { buildCategory, buildManufacturer, buildProduct } from '#test/support/builders/catalog.ts'
import {
  buildCatalogStaff,
  productEventsOf,
  TWO_VARIANT_PRODUCT,
} from '#test/support/builders/catalog-staff.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { planOf } from '#test/support/measure/plan-of.ts'
import { request } from '#test/support/processes/app.ts'

test('images that name more than 5,000 variants in all return 422', async () => {
  const { token } = await buildCatalogStaff()
  const names = Array.from({ length: 501 }, (_, i) => `S${i}`)
  const images = Array.from({ length: 10 }, (_, i) => ({
    url: `https://images.test/${i}.jpg`,
    variant_skus: names,
  }))

  const { status, detail } = await request('POST /admin/products', {
    token,
    body: { ...TWO_VARIANT_PRODUCT, images },
  })

  assert.equal(status, 422)
  assert.deepEqual(detail[0].loc, ['body', 'images'])
})

test('POST /admin/products creates a product with all its parts', async () => {
  const { store, token } = await buildCatalogStaff()
  const category = await buildCategory(store)
  const maker = await buildManufacturer(store)
  const body = {
    ...TWO_VARIANT_PRODUCT,
    sku: 'J',
    description_i18n: { en: 'Warm' },
    seo: { title_i18n: { en: 'Buy' } },
    manufacturer_id: maker.id,
    category_ids: [category.id, category.id.toUpperCase()],
    weight: 520,
    dimensions: { length: 300, width: 200, height: 50 },
    images: [{ url: 'https://images.test/1.jpg', alt: 'Front', variant_skus: ['J-M'] }],
    tags: ['rain', 'rain', 'new'],
  }

  const created = await request('POST /admin/products', { token, body })

  assert.equal(created.status, 201)
  const { id, images, variants, created_at, updated_at, ...rest } = created.data
  assert.deepEqual(rest, {
    slug: 'walking-jacket',
    sku: 'J',
    name_i18n: TWO_VARIANT_PRODUCT.name_i18n,
    description_i18n: { en: 'Warm' },
    seo: { title_i18n: { en: 'Buy' } },
    manufacturer_id: maker.id,
    stock_status_id: null,
    category_ids: [category.id],
    attributes: [],
    price_rules: [],
    related_ids: [],
    price: 189.99,
    weight: 520,
    dimensions: { length: 300, width: 200, height: 50 },
    options: TWO_VARIANT_PRODUCT.options,
    tags: ['rain', 'new'],
    is_active: true,
    metadata: {},
    tax_class_id: null,
    deleted_at: null,
  })
  assert.equal(created_at, updated_at)
  assert.deepEqual(images[0].variant_ids, [variants[1].id])
  assert.deepEqual(
    variants.map(({ id: _, ...variant }: { id: string }) => variant),
    [
      {
        sku: 'J-S',
        position: 0,
        option_values: { Size: 'S', Colour: 'Navy' },
        price: null,
        sale_price: null,
        sale_starts_at: null,
        sale_ends_at: null,
        barcode: '',
        weight: null,
        stock_on_hand: 3,
        stock_available: 3,
        backorder: false,
        is_active: true,
        metadata: {},
      },
      {
        sku: 'J-M',
        position: 1,
        option_values: { Size: 'M', Colour: 'Navy' },
        price: 199,
        sale_price: 149.5,
        sale_starts_at: '2026-01-01T00:00:00.000Z',
        sale_ends_at: '2026-02-01T00:00:00.000Z',
        barcode: '',
        weight: null,
        stock_on_hand: 0,
        stock_available: 0,
        backorder: true,
        metadata: {},
        is_active: false,
      },
    ],
  )
  const read = await request(`GET /admin/products/${id}`, { token })
  assert.deepEqual(read.data, created.data)
  assert.equal(read.headers.get('ETag'), created.headers.get('ETag'))
  assert.deepEqual(
    (await productEventsOf(store)).map(({ type, data }) => ({ type, data })),
    [{ type: 'product.created', data: created.data }],
  )
})

test('the initial stock is recorded as a stock movement', async () => {
  const { store, token } = await buildCatalogStaff()

  const { data } = await request('POST /admin/products', { token, body: TWO_VARIANT_PRODUCT })

  const moved = await inStore(store.id, (tx) =>
    tx.knex('stock_movements').select('variant_id', 'delta', 'reason'),
  )
  assert.deepEqual(moved, [{ variant_id: data.variants[0].id, delta: 3, reason: 'initial' }])
})

test('a product with only a name and a price gets one variant, a slug and a SKU', async () => {
  const { token } = await buildCatalogStaff()
  const name = (text: string) => ({ token, body: { name_i18n: { en: text }, price: 5 } })

  const plain = await request('POST /admin/products', name('Étui für 2 Gläser'))
  const again = await request('POST /admin/products', name('Étui für 2 Gläser'))
  const foreign = await request('POST /admin/products', name('茶碗'))
  const named = await request('POST /admin/products', { token, body: { ...name('Mug').body, sku: 'MUG' } })

  assert.equal(plain.data.slug, 'etui-fur-2-glaser')
  assert.match(again.data.slug, /^etui-fur-2-glaser-[0-9a-f]{8}$/)
  assert.match(foreign.data.slug, /^product-[0-9a-f]{8}$/)
  assert.equal(plain.data.variants.length, 1)
  assert.match(plain.data.variants[0].sku, /^ETUI-FUR-2-GLASER-[0-9A-F]{8}$/)
  assert.equal(named.data.variants[0].sku, 'MUG')
})

test('a taken SKU or slug returns 409, and nothing is saved', async () => {
  const { store, token } = await buildCatalogStaff()
  await buildProduct(store, { slug: 'taken', variants: [{ sku: 'J-M' }] })

  const sku = await request('POST /admin/products', { token, body: TWO_VARIANT_PRODUCT })
  const slug = await request('POST /admin/products', {
    token,
    body: { name_i18n: { en: 'Mug' }, price: 5, slug: 'taken' },
  })

  assert.partialDeepStrictEqual(sku, { status: 409, error_code: 'product.sku_taken' })
  assert.match(sku.error ?? '', /J-M/)
  assert.partialDeepStrictEqual(slug, { status: 409, error_code: 'product.slug_taken' })
  assert.equal((await request('GET /admin/products', { token })).meta.total, 1)
})

test('the SKU of a product is unique until the product is deleted', async () => {
  const { store, token } = await buildCatalogStaff()
  const first = await buildProduct(store, { sku: 'JACKET' })
  const second = await buildProduct(store)
  const body = { ...TWO_VARIANT_PRODUCT, sku: 'JACKET' }

  const created = await request('POST /admin/products', { token, body })
  const changed = await request(`PATCH /admin/products/${second.id}`, { token, body: { sku: 'JACKET' } })
  await request(`DELETE /admin/products/${first.id}`, { token })
  const afterwards = await request('POST /admin/products', { token, body })

  assert.partialDeepStrictEqual(created, { status: 409, error_code: 'product.sku_taken' })
  assert.match(created.error ?? '', /JACKET/)
  assert.partialDeepStrictEqual(changed, { status: 409, error_code: 'product.sku_taken' })
  assert.equal(afterwards.status, 201)
})

test('one of several concurrent products with one SKU is created', async () => {
  const { token } = await buildCatalogStaff()
  const ask = (i: number) => ({
    token,
    body: { name_i18n: { en: `Mug ${i}` }, price: 5, variants: [{ sku: 'MUG' }] },
  })

  const answers = await Promise.all([1, 2, 3, 4, 5].map((i) => request('POST /admin/products', ask(i))))

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
})

test("two stores can use the same SKU and slug and do not see each other's product", async () => {
  const [mine, other] = [await buildCatalogStaff(), await buildCatalogStaff()]
  const { data } = await request('POST /admin/products', { token: mine.token, body: TWO_VARIANT_PRODUCT })
  const theirs = await request('POST /admin/products', { token: other.token, body: TWO_VARIANT_PRODUCT })

  assert.equal(theirs.status, 201)
  for (const line of ['GET', 'PATCH', 'DELETE']) {
    const body = line === 'PATCH' ? { body: { price: 1 } } : {}
    const answer = await request(`${line} /admin/products/${data.id}`, { token: other.token, ...body })
    assert.partialDeepStrictEqual(answer, { status: 404, error_code: 'resource.not_found' }, line)
  }
})

test('an invalid combination returns 422 with the location of each fault', async () => {
  const { store, token } = await buildCatalogStaff()
  const other = await buildStore()
  const [theirs, maker] = [await buildCategory(other), await buildManufacturer(other)]
  const own = await buildCategory(store)
  const [small, medium] = TWO_VARIANT_PRODUCT.variants as [object, object]
  const base = { name_i18n: { en: 'Mug' }, price: 5 }
  const cases: [object, string][] = [
    [{ ...base, category_ids: [own.id, theirs.id] }, 'body.category_ids.1'],
    [{ ...base, manufacturer_id: maker.id }, 'body.manufacturer_id'],
    [{ ...base, price: 1.999 }, 'body.price'],
    [{ ...base, price: -1 }, 'body.price'],
    [{ ...base, name_i18n: {} }, 'body.name_i18n'],
    [{ ...base, name_i18n: { en: ' ' } }, 'body.name_i18n.en'],
    [{ ...base, name_i18n: { english: 'Mug' } }, 'body.name_i18n.english'],
    [{ ...base, slug: 'Not A Slug' }, 'body.slug'],
    [{ ...base, colour: 'red' }, 'body.colour'],
    [{ ...base, images: [{ url: 'javascript:alert(1)' }] }, 'body.images.0.url'],
    [{ ...base, options: TWO_VARIANT_PRODUCT.options }, 'body.variants'],
    [{ ...base, variants: [{ sku: 'A', sale_price: 0.001 }] }, 'body.variants.0.sale_price'],
    [{ ...base, variants: [{ sku: 'A', stock_on_hand: -1 }] }, 'body.variants.0.stock_on_hand'],
    [
      { ...base, variants: [{ sku: 'A', option_values: { Size: 'S' } }] },
      'body.variants.0.option_values.Size',
    ],
    [{ ...base, variants: [{ sku: 'A' }, { sku: 'B' }] }, 'body.variants.1.option_values'],
    [{ ...TWO_VARIANT_PRODUCT, variants: [small, { ...medium, sku: 'J-S' }] }, 'body.variants.1.sku'],
    [{ ...TWO_VARIANT_PRODUCT, variants: [small, { ...small, sku: 'X' }] }, 'body.variants.1.option_values'],
    [
      { ...TWO_VARIANT_PRODUCT, variants: [{ sku: 'X', option_values: { Size: 'S' } }] },
      'body.variants.0.option_values.Colour',
    ],
    [
      {
        ...base,
        variants: [
          { sku: 'A', sale_starts_at: '2026-02-01T00:00:00Z', sale_ends_at: '2026-01-01T00:00:00Z' },
        ],
      },
      'body.variants.0.sale_ends_at',
    ],
    [
      { ...TWO_VARIANT_PRODUCT, options: [...TWO_VARIANT_PRODUCT.options, TWO_VARIANT_PRODUCT.options[0]] },
      'body.options.2.name',
    ],
  ]
  for (const [body, place] of cases) {
    const { status, error_code, detail } = await request('POST /admin/products', { token, body })
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'validation.failed' }, place)
    assert.ok(
      detail.some(({ loc }: { loc: unknown[] }) => loc.join('.') === place),
      `${place}: ${JSON.stringify(detail)}`,
    )
  }
})

test('a search by relevance finds the variants with the SKU once, by an index, and not for each product', async () => {
  const store = await buildStore()
  for (const sku of ['MUG', 'CUP']) await buildProduct(store, { sku })
  const plan = await inStore(store.id, async (tx) => {
    const listed: { sql: string; bindings: Knex.RawBinding[] }[] = []
    tx.knex.on('query', ({ sql, bindings }) => sql.includes('ts_rank') && listed.push({ sql, bindings }))
    await listAdminProducts(tx, await readStore(tx), { q: 'MUG', page: 1, page_size: 20 })
    const [list] = listed
    assert.ok(list)
    return planOf(tx.knex, list.sql, list)
  })

  assert.match(plan, /product_variants_sku/)
  // A subplan that names the product runs again for each product.
  assert.doesNotMatch(plan, /products\.(store_id|deleted_at)/)
})
