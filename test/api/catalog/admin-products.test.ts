import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findRecurringPlan } from '#shared/recurring-plans/recurring-plan.ts'
import { request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { buildCategory, buildManufacturer, buildProduct } from '#test/support/build-catalog.ts'
import { buildPlan } from '#test/support/build-plans.ts'
import { freezeClock } from '#test/support/clock.ts'

async function setUp() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  return { store, token }
}

const events = (store: { id: string }) =>
  inStore(store.id, (tx) =>
    tx.knex('events').whereLike('type', 'product.%').orderBy('id').select('type', 'data'),
  )

const COUPLE = {
  name_i18n: { en: 'Walking Jacket', de: 'Wanderjacke' },
  price: 189.99,
  options: [
    { name: 'Size', values: ['S', 'M'] },
    { name: 'Colour', values: ['Navy'] },
  ],
  variants: [
    { sku: 'J-S', option_values: { Size: 'S', Colour: 'Navy' }, stock_on_hand: 3 },
    {
      sku: 'J-M',
      option_values: { Size: 'M', Colour: 'Navy' },
      price: 199,
      sale_price: 149.5,
      sale_starts_at: '2026-01-01T00:00:00.000Z',
      sale_ends_at: '2026-02-01T00:00:00.000Z',
      backorder: true,
      is_active: false,
    },
  ],
}

test('POST /admin/products creates a product with all its parts', async () => {
  const { store, token } = await setUp()
  const category = await buildCategory(store)
  const maker = await buildManufacturer(store)
  const body = {
    ...COUPLE,
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
    name_i18n: COUPLE.name_i18n,
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
    options: COUPLE.options,
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
  assert.deepEqual((await events(store)).map(({ type, data }) => ({ type, data })), [{ type: 'product.created', data: created.data }])
})

test('the initial stock is recorded as a stock movement', async () => {
  const { store, token } = await setUp()

  const { data } = await request('POST /admin/products', { token, body: COUPLE })

  const moved = await inStore(store.id, (tx) =>
    tx.knex('stock_movements').select('variant_id', 'delta', 'reason'),
  )
  assert.deepEqual(moved, [{ variant_id: data.variants[0].id, delta: 3, reason: 'initial' }])
})

test('a product with only a name and a price gets one variant, a slug and a SKU', async () => {
  const { token } = await setUp()
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
  const { store, token } = await setUp()
  await buildProduct(store, { slug: 'taken', variants: [{ sku: 'J-M' }] })

  const sku = await request('POST /admin/products', { token, body: COUPLE })
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
  const { store, token } = await setUp()
  const first = await buildProduct(store, { sku: 'JACKET' })
  const second = await buildProduct(store)
  const body = { ...COUPLE, sku: 'JACKET' }

  const created = await request('POST /admin/products', { token, body })
  const changed = await request(`PATCH /admin/products/${second.id}`, { token, body: { sku: 'JACKET' } })
  await request(`DELETE /admin/products/${first.id}`, { token })
  const afterwards = await request('POST /admin/products', { token, body })

  assert.partialDeepStrictEqual(created, { status: 409, error_code: 'product.sku_taken' })
  assert.match(created.error ?? '', /JACKET/)
  assert.partialDeepStrictEqual(changed, { status: 409, error_code: 'product.sku_taken' })
  assert.equal(afterwards.status, 201)
})

test('of concurrent products with one SKU one is created', async () => {
  const { token } = await setUp()
  const ask = (i: number) => ({
    token,
    body: { name_i18n: { en: `Mug ${i}` }, price: 5, variants: [{ sku: 'MUG' }] },
  })

  const answers = await Promise.all([1, 2, 3, 4, 5].map((i) => request('POST /admin/products', ask(i))))

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
})

test("two stores can use the same SKU and slug and do not see each other's product", async () => {
  const [mine, other] = [await setUp(), await setUp()]
  const { data } = await request('POST /admin/products', { token: mine.token, body: COUPLE })
  const theirs = await request('POST /admin/products', { token: other.token, body: COUPLE })

  assert.equal(theirs.status, 201)
  for (const line of ['GET', 'PATCH', 'DELETE']) {
    const body = line === 'PATCH' ? { body: { price: 1 } } : {}
    const answer = await request(`${line} /admin/products/${data.id}`, { token: other.token, ...body })
    assert.partialDeepStrictEqual(answer, { status: 404, error_code: 'resource.not_found' }, line)
  }
})

test('an invalid combination returns 422 with the location of each fault', async () => {
  const { store, token } = await setUp()
  const other = await buildStore()
  const [theirs, maker] = [await buildCategory(other), await buildManufacturer(other)]
  const own = await buildCategory(store)
  const [small, medium] = COUPLE.variants as [object, object]
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
    [{ ...base, options: COUPLE.options }, 'body.variants'],
    [{ ...base, variants: [{ sku: 'A', sale_price: 0.001 }] }, 'body.variants.0.sale_price'],
    [{ ...base, variants: [{ sku: 'A', stock_on_hand: -1 }] }, 'body.variants.0.stock_on_hand'],
    [
      { ...base, variants: [{ sku: 'A', option_values: { Size: 'S' } }] },
      'body.variants.0.option_values.Size',
    ],
    [{ ...base, variants: [{ sku: 'A' }, { sku: 'B' }] }, 'body.variants.1.option_values'],
    [{ ...COUPLE, variants: [small, { ...medium, sku: 'J-S' }] }, 'body.variants.1.sku'],
    [{ ...COUPLE, variants: [small, { ...small, sku: 'X' }] }, 'body.variants.1.option_values'],
    [
      { ...COUPLE, variants: [{ sku: 'X', option_values: { Size: 'S' } }] },
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
    [{ ...COUPLE, options: [...COUPLE.options, COUPLE.options[0]] }, 'body.options.2.name'],
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

test('PATCH keeps omitted fields, and the storefront shows the change immediately', async () => {
  const { store, token } = await setUp()
  const category = await buildCategory(store)
  const { data: before } = await request('POST /admin/products', { token, body: COUPLE })
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
  assert.deepEqual(listed.map(({ name, price }: { name: string; price: number }) => ({ name, price })), [{ name: 'Mug', price: 12.5 }])
  assert.deepEqual((await request('GET /products?q=jacket', { store })).data, [])
  assert.equal((await request(`GET /admin/products/${before.id}`, { token })).data.updated_at, later)
  assert.deepEqual(
    (await events(store)).map(({ type }) => type),
    ['product.created', 'product.updated'],
  )
})

test('an unpublished product is in the admin list and can be published again', async () => {
  const { store, token } = await setUp()
  const { id, slug } = await buildProduct(store)
  const patch = (is_active: boolean) => request(`PATCH /admin/products/${id}`, { token, body: { is_active } })

  await patch(false)
  assert.equal((await request(`GET /products/${slug}`, { store })).status, 404)
  assert.equal((await request('GET /admin/products?is_active=false', { token })).meta.total, 1)
  await patch(true)
  assert.equal((await request(`GET /products/${slug}`, { store })).status, 200)
})

test('rearranged images keep their ids', async () => {
  const { store, token } = await setUp()
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
  const { token } = await setUp()
  const { data } = await request('POST /admin/products', { token, body: COUPLE })
  const patch = (options: object[]) =>
    request(`PATCH /admin/products/${data.id}`, { token, body: { options } })
  const [size, colour] = COUPLE.options as [object, object]

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
  const { store, token } = await setUp()
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
  const { store, token } = await setUp()
  await buildProduct(store, { slug: 'taken' })
  const { id } = await buildProduct(store, { slug: 'own' })
  const patch = (slug: string) => request(`PATCH /admin/products/${id}`, { token, body: { slug } })

  const taken = await patch('taken')

  assert.partialDeepStrictEqual(taken, { status: 409, error_code: 'product.slug_taken' })
  assert.equal((await patch('own')).status, 200)
})

test('a deleted product is in no list, keeps its data, and frees its slug and SKUs', async () => {
  const { store, token } = await setUp()
  const { data } = await request('POST /admin/products', { token, body: COUPLE })

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
  assert.equal((await request('POST /admin/products', { token, body: COUPLE })).status, 201)
  assert.deepEqual(
    (await events(store)).map(({ type }) => type),
    ['product.created', 'product.deleted', 'product.created'],
  )
})

test('POST /admin/products/{product_id}/restore restores the product, unpublished', async () => {
  const { store, token } = await setUp()
  const { data: before } = await request('POST /admin/products', { token, body: { ...COUPLE, sku: 'J' } })
  const line = `/admin/products/${before.id}`
  await request(`DELETE ${line}`, { token })

  const { data: gone, meta } = await request('GET /admin/products?deleted=true', { token })
  const found = await request('GET /admin/products?deleted=true&sku=J-S', { token })
  const restored = await request(`POST ${line}/restore`, { token })
  const again = await request(`POST ${line}/restore`, { token })

  assert.equal(meta.total, 1)
  assert.deepEqual(gone[0].variants, before.variants, 'what can be restored is shown')
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
  const told = (await events(store)).map(({ type, data }) => [type, data.deleted_at === null])
  assert.deepEqual(told.slice(0, 3), [
    ['product.created', true],
    ['product.deleted', false],
    ['product.updated', true],
  ])
})

test('POST /admin/products/{product_id}/restore with a taken slug or SKU returns 409', async () => {
  const { store, token } = await setUp()
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

test('of a concurrent restore and create with one SKU one succeeds', async () => {
  const { store, token } = await setUp()
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

test('of concurrent restores one succeeds', async () => {
  const { store, token } = await setUp()
  const { id } = await buildProduct(store)
  await request(`DELETE /admin/products/${id}`, { token })

  const answers = await Promise.all(
    [1, 2, 3].map(() => request(`POST /admin/products/${id}/restore`, { token })),
  )

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
})

test("POST …/restore and …/duplicate of an unknown or another store's product return 404", async () => {
  const [{ token }, other] = [await setUp(), await setUp()]
  const theirs = await buildProduct(other.store)
  await request(`DELETE /admin/products/${theirs.id}`, { token: other.token })

  for (const id of [newId(), theirs.id])
    for (const verb of ['restore', 'duplicate'])
      assert.equal((await request(`POST /admin/products/${id}/${verb}`, { token })).status, 404)
})

test('POST /admin/products/{product_id}/duplicate copies all but slug, SKUs, barcodes and stock', async () => {
  const { store, token } = await setUp()
  const category = await buildCategory(store)
  const related = await buildProduct(store)
  const body = {
    ...COUPLE,
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
  assert.deepEqual(copy.variants.map(({ option_values, stock_on_hand, sale_price }: typeof copy) => ({ Size: option_values.Size, stock_on_hand, sale_price })), [{ Size: 'S', stock_on_hand: 0, sale_price: null }, { Size: 'M', stock_on_hand: 0, sale_price: 149.5 }])
  assert.match(copy.variants[0].sku, /^J-S-[0-9A-F]{8}$/)
  const { plan: found, productIds } = await inStore(store.id, (tx) => findRecurringPlan(tx, plan.id))
  assert.deepEqual(
    { id: found.id, products: productIds },
    { id: plan.id, products: [first.id, copy.id].sort() },
  )
  assert.equal((await request(`POST /admin/products/${first.id}/duplicate`, { token })).status, 201, 'again')
})

test('GET /admin/products filters, sorts and pages', async () => {
  const { store, token } = await setUp()
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
  const { store } = await setUp()
  const { id } = await buildProduct(store)
  const { token: analyst } = await buildStaff(store, { role: 'analyst' })
  const { token: accounting } = await buildStaff(store, { role: 'accounting' })
  const status = async (line: string, token: string, body?: object) =>
    (await request(line, { token, ...(body ? { body } : {}) })).status

  assert.equal(await status('GET /admin/products', analyst), 200)
  assert.equal(await status('GET /admin/products', accounting), 403)
  assert.equal(await status('POST /admin/products', analyst, COUPLE), 403)
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
