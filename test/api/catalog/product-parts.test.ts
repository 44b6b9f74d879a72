import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { assignAttributes, replaceAttributes } from '#shared/catalog/product-attribute.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCategory, buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildAttribute, buildAttributeGroup, buildStockStatus } from '#test/support/builders/taxonomy.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

async function setUp() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const product = await buildProduct(store)
  const put = (part: string, items: unknown, headers = {}) =>
    request(`PUT /admin/products/${product.id}/${part}`, { token, body: { items }, headers })
  return { store, token, product, put }
}

const updates = async (store: { id: string }) =>
  inStore(store.id, (tx) => tx.knex('events').where('type', 'product.updated').orderBy('id').pluck('data'))

const German = { 'Accept-Language': 'de' }

test('PUT /admin/products/{product_id}/attributes replaces the whole set', async () => {
  const { store, token, product, put } = await setUp()
  const fabric = await buildAttributeGroup(store, { nameI18n: { en: 'Fabric', de: 'Stoff' }, position: 1 })
  const size = await buildAttributeGroup(store, { nameI18n: { en: 'Size' }, position: 2 })
  const material = await buildAttribute(store, {
    groupId: fabric.id,
    nameI18n: { en: 'Material', de: 'Werkstoff' },
  })
  const height = await buildAttribute(store, { groupId: size.id, nameI18n: { en: 'Height' } })
  const weave = await buildAttribute(store, { groupId: fabric.id, nameI18n: { en: 'Weave' } })

  const first = await put(
    'attributes',
    [
      { attribute_id: height.id, value: '45 cm' },
      { attribute_id: material.id.toUpperCase(), value: 'Wool' },
    ],
    German,
  )
  const second = await put('attributes', [
    { attribute_id: weave.id, value: 'Twill' },
    { attribute_id: material.id, value: 'Linen' },
  ])

  assert.equal(first.status, 200)
  assert.deepEqual(first.data, [
    {
      id: first.data[0].id,
      attribute_id: material.id,
      attribute_name: 'Werkstoff',
      group_id: fabric.id,
      group_name: 'Stoff',
      value: 'Wool',
    },
    {
      id: first.data[1].id,
      attribute_id: height.id,
      attribute_name: 'Height',
      group_id: size.id,
      group_name: 'Size',
      value: '45 cm',
    },
  ])
  assert.deepEqual(
    second.data.map(({ attribute_name, value }: { attribute_name: string; value: string }) => ({
      attribute_name,
      value,
    })),
    [
      { attribute_name: 'Material', value: 'Linen' },
      { attribute_name: 'Weave', value: 'Twill' },
    ],
  )
  assert.equal(second.data[0]?.id, first.data[0]?.id, 'a kept value keeps its id')
  const page = await request(`GET /products/${product.slug}`, { store })
  const admin = await request(`GET /admin/products/${product.id}`, { token })
  assert.deepEqual(page.data.attributes, second.data)
  assert.deepEqual(admin.data.attributes, second.data)
  const german = await request(`GET /products/${product.slug}`, { store, headers: German })
  assert.equal(german.data.attributes[0].attribute_name, 'Werkstoff')
  assert.deepEqual((await updates(store)).at(-1)?.attributes, second.data)
  assert.deepEqual((await put('attributes', [])).data, [])
})

test('PUT /admin/products/{product_id}/attributes: a repeated request changes nothing and emits no event', async () => {
  const { store, put } = await setUp()
  const attribute = await buildAttribute(store)
  const items = [{ attribute_id: attribute.id, value: 'Wool' }]

  const first = await put('attributes', items)
  const again = await put('attributes', items)

  assert.deepEqual(again.data, first.data)
  assert.equal(again.headers.get('ETag'), first.headers.get('ETag'))
  assert.equal((await updates(store)).length, 1)
})

test("PUT /admin/products/{product_id}/attributes: an unknown, another store's or repeated attribute returns 422 with its location", async () => {
  const { store, put, token, product } = await setUp()
  const own = await buildAttribute(store)
  const theirs = await buildAttribute(await buildStore())
  await put('attributes', [{ attribute_id: own.id, value: 'Wool' }])
  const item = (attribute_id: string, value = 'Silk') => ({ attribute_id, value })

  const refused = await put('attributes', [
    item(own.id),
    item(theirs.id),
    item(newId()),
    item(own.id.toUpperCase()),
  ])

  assert.equal(refused.error_code, 'validation.failed')
  assert.deepEqual(
    refused.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.')),
    ['body.items.1.attribute_id', 'body.items.2.attribute_id', 'body.items.3.attribute_id'],
  )
  const bad = [
    [item('x')],
    [item(own.id, '')],
    [item(own.id, 'x'.repeat(256))],
    [{ attribute_id: own.id }],
    [{ ...item(own.id), id: newId() }],
    Array.from({ length: 201 }, () => item(newId())),
    null,
  ]
  for (const items of bad) assert.equal((await put('attributes', items)).status, 422)
  const { data } = await request(`GET /admin/products/${product.id}`, { token })
  assert.equal(data.attributes[0].value, 'Wool', 'a refused set leaves the one before')
})

test('PUT /admin/products/{product_id}/attributes: of concurrent requests one complete list is saved', async () => {
  const { store, token, product, put } = await setUp()
  const sets = await Promise.all([1, 2, 3, 4].map(() => twoAttributes(store)))

  const answers = await Promise.all(
    sets.map((set) =>
      put(
        'attributes',
        set.map((id) => ({ attribute_id: id, value: 'x' })),
      ),
    ),
  )

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const { data } = await request(`GET /admin/products/${product.id}`, { token })
  const ids = data.attributes.map(({ attribute_id }: { attribute_id: string }) => attribute_id)
  assert.ok(
    sets.some((set) => set.toSorted().join() === ids.toSorted().join()),
    'one of the sets, whole',
  )
})

test('control: without the lock of the product two concurrent lists are both saved', async () => {
  const { store, token, product } = await setUp()
  const [mine, theirs] = [await twoAttributes(store), await twoAttributes(store)]
  const write = async (tx: StoreTx, set: string[]) =>
    replaceAttributes(
      tx,
      product.id,
      await assignAttributes(
        tx,
        set.map((attributeId) => ({ attributeId, value: 'x' })),
      ),
    )

  await inStore(store.id, async (tx) => {
    await write(tx, mine)
    await inStore(store.id, (other) => write(other, theirs))
  })

  const { data } = await request(`GET /admin/products/${product.id}`, { token })
  assert.equal(data.attributes.length, 4)
})

async function twoAttributes(store: { id: string }): Promise<string[]> {
  const { id: groupId } = await buildAttributeGroup(store)
  return [(await buildAttribute(store, { groupId })).id, (await buildAttribute(store, { groupId })).id]
}

test('PUT of a part needs an existing product and catalog:write, and checks If-Match', async () => {
  const { store, token, product, put } = await setUp()
  freezeClock(new Date())
  const attribute = await buildAttribute(store)
  const { token: analyst } = await buildStaff(store, { role: 'analyst' })
  const etag = (await request(`GET /admin/products/${product.id}`, { token })).headers.get('ETag') ?? ''

  const first = await put('attributes', [{ attribute_id: attribute.id, value: 'a' }], { 'If-Match': etag })

  assert.equal(first.status, 200)
  for (const part of ['attributes', 'price-rules', 'images', 'categories', 'related']) {
    const line = `PUT /admin/products/${product.id}/${part}`
    assert.equal((await request(line, { token: analyst, body: { items: [] } })).status, 403, part)
    const gone = `PUT /admin/products/${newId()}/${part}`
    assert.equal((await request(gone, { token, body: { items: [] } })).status, 404, part)
    const stale = await put(part, [], { 'If-Match': etag })
    assert.partialDeepStrictEqual(stale, { status: 412, error_code: 'resource.changed' }, part)
  }
})

test('PUT /admin/products/{product_id}/price-rules replaces special prices and quantity discounts', async () => {
  const { store, token, product, put } = await setUp()
  const rules = [
    {
      kind: 'special',
      min_quantity: 1,
      price: 8.5,
      starts_at: '2026-01-01T00:00:00.000Z',
      ends_at: '2026-02-01T00:00:00.000Z',
      customer_group_id: null,
    },
    { kind: 'quantity', min_quantity: 10, price: 7, starts_at: null, ends_at: null, customer_group_id: null },
  ]

  const replaced = await put('price-rules', rules)
  const again = await put('price-rules', rules)

  assert.deepEqual(replaced.data, rules)
  assert.equal(again.headers.get('ETag'), replaced.headers.get('ETag'))
  assert.deepEqual((await request(`GET /admin/products/${product.id}`, { token })).data.price_rules, rules)
  assert.deepEqual(
    (await updates(store)).map(({ price_rules }) => price_rules),
    [rules],
  )
  assert.deepEqual((await put('price-rules', [{ kind: 'special', price: 9 }])).data, [
    { kind: 'special', min_quantity: 1, price: 9, starts_at: null, ends_at: null, customer_group_id: null },
  ])
  assert.deepEqual((await put('price-rules', [])).data, [])
})

test('a price rule with a price of zero returns 422 in each request that has price rules', async () => {
  const { token, product, put } = await setUp()
  const base = { name_i18n: { en: 'Mug' }, price: 5 }
  for (const rule of [
    { kind: 'special', price: 0 },
    { kind: 'special', price: -5 },
    { kind: 'quantity', min_quantity: 5, price: 0 },
  ]) {
    const answers = [
      await put('price-rules', [rule]),
      await request('POST /admin/products', { token, body: { ...base, price_rules: [rule] } }),
      await request(`PATCH /admin/products/${product.id}`, { token, body: { price_rules: [rule] } }),
    ]
    for (const { status, error_code } of answers)
      assert.deepEqual({ status, error_code }, { status: 422, error_code: 'product.price_rule_not_positive' })
  }
})

test('PUT /admin/products/{product_id}/price-rules: an invalid rule returns 422 with its location', async () => {
  const { put } = await setUp()
  const cases: [object, string][] = [
    [{ kind: 'special', price: 1.999 }, 'body.items.0.price'],
    [{ kind: 'special', price: 1e300 }, 'body.items.0.price'],
    [{ kind: 'special', price: '1' }, 'body.items.0.price'],
    [{ kind: 'special' }, 'body.items.0.price'],
    [{ kind: 'bulk', price: 1 }, 'body.items.0.kind'],
    [{ kind: 'special', min_quantity: 2, price: 1 }, 'body.items.0.min_quantity'],
    [{ kind: 'quantity', price: 1 }, 'body.items.0.min_quantity'],
    [{ kind: 'quantity', min_quantity: 1, price: 1 }, 'body.items.0.min_quantity'],
    [{ kind: 'quantity', min_quantity: 0, price: 1 }, 'body.items.0.min_quantity'],
    [
      { kind: 'special', price: 1, starts_at: '2026-02-01T00:00:00Z', ends_at: '2026-02-01T00:00:00Z' },
      'body.items.0.ends_at',
    ],
    [{ kind: 'special', price: 1, customer_group: 'x' }, 'body.items.0.customer_group'],
  ]
  for (const [rule, place] of cases) {
    const { status, error_code, detail } = await put('price-rules', [rule])
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'validation.failed' }, place)
    assert.deepEqual(detail[0].loc.join('.'), place)
  }
})

test('PUT /admin/products/{product_id}/images and …/categories replace the lists', async () => {
  const { store, put } = await setUp()
  const [a, b] = [await buildCategory(store), await buildCategory(store)]
  const theirs = await buildCategory(await buildStore())
  const pictures = [{ url: 'https://images.test/1.jpg', alt: 'Front' }, { url: 'https://images.test/2.jpg' }]

  const images = await put('images', pictures)
  const same = await put('images', pictures)
  const turned = await put('images', pictures.toReversed())
  const categories = await put('categories', [b.id, a.id])
  const refused = await put('categories', [a.id, theirs.id])

  const ids = images.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(same.data, images.data)
  assert.deepEqual(
    turned.data.map(({ id }: { id: string }) => id),
    ids.toReversed(),
  )
  assert.deepEqual(categories.data, [a.id, b.id].sort())
  assert.deepEqual(
    { status: refused.status, loc: refused.detail[0].loc },
    { status: 422, loc: ['body', 'items', 1] },
  )
  assert.deepEqual((await put('categories', [])).data, [])
})

test('PUT /admin/products/{product_id}/related replaces the related products', async () => {
  const { store, token, product, put } = await setUp()
  const [a, b, hidden] = [
    await buildProduct(store, { slug: 'a' }),
    await buildProduct(store, { slug: 'b' }),
    await buildProduct(store, { isActive: false }),
  ]
  const theirs = await buildProduct(await buildStore())
  const category = await buildCategory(store)
  await buildProduct(store, { slug: 'neighbour', categoryIds: [category.id] })
  await put('categories', [category.id])
  const shown = async () => {
    const { data } = await request(`GET /products/${product.slug}`, { store })
    return data.related.map(({ slug }: { slug: string }) => slug)
  }

  assert.deepEqual(await shown(), ['neighbour'])
  assert.deepEqual((await put('related', [b.id, hidden.id, a.id, b.id])).data, [b.id, hidden.id, a.id])
  assert.deepEqual(await shown(), ['b', 'a'])
  await request(`DELETE /admin/products/${b.id}`, { token })
  assert.deepEqual(await shown(), ['a'])
  const { data } = await request(`GET /admin/products/${product.id}`, { token })
  assert.deepEqual(data.related_ids, [hidden.id, a.id])
  for (const id of [newId(), theirs.id, product.id, b.id]) {
    const { status, detail } = await put('related', [a.id, id])
    assert.deepEqual({ status, loc: detail[0].loc }, { status: 422, loc: ['body', 'items', 1] })
  }
  await put('related', [])
  assert.deepEqual(await shown(), ['neighbour'])
})

test('concurrent requests that relate products to each other do not deadlock', async () => {
  const { store, token } = await setUp()
  const [a, b] = [await buildProduct(store), await buildProduct(store)]
  const relate = (from: { id: string }, to: { id: string }[]) =>
    request(`PUT /admin/products/${from.id}/related`, { token, body: { items: to.map(({ id }) => id) } })
  for (let round = 0; round < 5; round++) {
    const isOn = round % 2 === 0

    const answers = await Promise.all([relate(a, isOn ? [b] : []), relate(b, isOn ? [a] : [])])

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
  }
})

test('POST and PATCH /admin/products accept attributes, price rules and a stock status', async () => {
  const { store, token } = await setUp()
  const [material, height] = [await buildAttribute(store), await buildAttribute(store)]
  const status = await buildStockStatus(store, {
    nameI18n: { en: 'Back in two weeks', de: 'In zwei Wochen wieder da' },
  })
  const body = {
    name_i18n: { en: 'Mug' },
    price: 5,
    slug: 'mug',
    stock_status_id: status.id.toUpperCase(),
    attributes: [{ attribute_id: material.id, value: 'Clay' }],
    price_rules: [{ kind: 'quantity', min_quantity: 6, price: 4 }],
  }

  const created = await request('POST /admin/products', { token, body })
  const unknown = { ...body, slug: 'cup', attributes: [{ attribute_id: newId(), value: 'Clay' }] }
  const refused = await request('POST /admin/products', { token, body: unknown })

  assert.equal(created.status, 201)
  assert.deepEqual((await request(`GET /admin/products/${created.data.id}`, { token })).data, created.data)
  assert.deepEqual(
    {
      value: created.data.attributes[0].value,
      price: created.data.price_rules[0].price,
      stock_status_id: created.data.stock_status_id,
    },
    { value: 'Clay', price: 4, stock_status_id: status.id },
  )
  assert.deepEqual(
    { status: refused.status, loc: refused.detail[0].loc },
    { status: 422, loc: ['body', 'attributes', 0, 'attribute_id'] },
  )
  const page = await request('GET /products/mug', { store, headers: German })
  assert.equal(page.data.stock_status_name, 'In zwei Wochen wieder da')

  const line = `PATCH /admin/products/${created.data.id}`
  const patched = await request(line, {
    token,
    body: {
      attributes: [{ attribute_id: height.id, value: '9 cm' }],
      price_rules: [],
      stock_status_id: null,
    },
  })
  const wrong = await request(line, { token, body: { stock_status_id: newId() } })

  assert.deepEqual(
    {
      attributesCount: patched.data.attributes.length,
      value: patched.data.attributes[0].value,
      price_rules: patched.data.price_rules,
    },
    { attributesCount: 1, value: '9 cm', price_rules: [] },
  )
  assert.deepEqual(
    { status: wrong.status, loc: wrong.detail[0].loc },
    { status: 422, loc: ['body', 'stock_status_id'] },
  )
  const plain = await request('GET /products/mug', { store })
  assert.equal(plain.data.stock_status_name, 'Out of stock')
})

test('the stock status is shown only when the product is out of stock', async () => {
  const { store, token } = await setUp()
  const status = await buildStockStatus(store, { nameI18n: { en: 'Soon' } })
  await buildProduct(store, { slug: 'full', stockStatusId: status.id })
  await buildProduct(store, {
    slug: 'empty',
    stockStatusId: status.id,
    variants: [{ stockOnHand: 0, backorder: true }],
  })

  const { data } = await request('GET /products', { store })

  assert.partialDeepStrictEqual(data.slice(0, 2), [
    { slug: 'empty', stock_status_name: 'Soon' },
    { slug: 'full', stock_status_name: 'In stock' },
  ])
  const kept = await request(`DELETE /admin/stock-statuses/${status.id}`, { token })
  assert.equal(kept.error_code, 'catalog.in_use')
})
