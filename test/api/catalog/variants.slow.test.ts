import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

const OPTIONS = [{ name: 'Size', values: ['S', 'M', 'L'] }]

async function setUp() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const product = await buildProduct(store, {
    options: OPTIONS,
    variants: [
      { sku: 'S', optionValues: { Size: 'S' }, stockOnHand: 5 },
      { sku: 'M', optionValues: { Size: 'M' } },
    ],
    images: [{ url: 'https://images.test/m.jpg', alt: '', variantSkus: ['M'] }],
  })
  const [small, medium] = product.variants.map(({ id }) => id) as [string, string]
  const all = `/admin/products/${product.id}/variants`
  return { store, token, product, small, medium, all }
}

const events = (store: { id: string }) =>
  inStore(store.id, (tx) => tx.knex('events').whereLike('type', 'product.%').orderBy('id').pluck('type'))

test('POST /admin/products/{product_id}/variants adds a variant at the last position', async () => {
  const { store, token, product, all } = await setUp()
  const body = { sku: 'L', option_values: { Size: 'L' }, price: 12, stock_on_hand: 2 }

  const added = await request(`POST ${all}`, { token, body })

  assert.equal(added.status, 201)
  const { id, ...rest } = added.data
  assert.deepEqual(rest, {
    sku: 'L',
    position: 2,
    option_values: { Size: 'L' },
    price: 12,
    sale_price: null,
    sale_starts_at: null,
    sale_ends_at: null,
    barcode: '',
    weight: null,
    stock_on_hand: 2,
    stock_available: 2,
    backorder: false,
    is_active: true,
    metadata: {},
  })
  const listed = await request(`GET ${all}`, { token })
  assert.deepEqual(
    listed.data.map(({ sku }: { sku: string }) => sku),
    ['S', 'M', 'L'],
  )
  assert.deepEqual((await request(`GET ${all}/${id}`, { token })).data, added.data)
  const read = await request(`GET /admin/products/${product.id}`, { token })
  for (const { headers } of [added, listed]) assert.equal(headers.get('ETag'), read.headers.get('ETag'))
  const page = await request(`GET /products/${product.slug}`, { store })
  assert.equal(page.data.variants.length, 3)
  assert.equal((await events(store)).at(-1), 'product.updated')
  const { data: movements } = await request(`GET /admin/variants/${id}/stock`, { token })
  assert.deepEqual(
    movements.map(({ delta, reason }: { delta: number; reason: string }) => ({ delta, reason })),
    [{ delta: 2, reason: 'initial' }],
  )
})

test('POST /admin/products/{product_id}/variants: a combination that does not match the product returns 422', async () => {
  const { store, token, all } = await setUp()
  await buildProduct(store, { variants: [{ sku: 'TAKEN' }] })
  const add = (body: object) => request(`POST ${all}`, { token, body })
  const sale = { sale_starts_at: '2026-02-01T00:00:00Z', sale_ends_at: '2026-01-01T00:00:00Z' }
  const cases: [object, string][] = [
    [{ sku: 'X' }, 'body.option_values.Size'],
    [{ sku: 'X', option_values: { Size: 'XL' } }, 'body.option_values.Size'],
    [{ sku: 'X', option_values: { Size: 'L', Colour: 'red' } }, 'body.option_values.Colour'],
    [{ sku: 'X', option_values: { Size: 'M' } }, 'body.option_values'],
    [{ sku: 'M', option_values: { Size: 'L' } }, 'body.sku'],
    [{ option_values: { Size: 'L' } }, 'body.sku'],
    [{ sku: 'X', option_values: { Size: 'L' }, price: 1.999 }, 'body.price'],
    [{ sku: 'X', option_values: { Size: 'L' }, ...sale }, 'body.sale_ends_at'],
  ]
  for (const [body, place] of cases) {
    const { status, detail } = await add(body)
    assert.equal(status, 422)
    assert.equal(detail?.[0].loc.join('.'), place)
  }
  const taken = await add({ sku: 'TAKEN', option_values: { Size: 'L' } })
  assert.partialDeepStrictEqual(taken, { status: 409, error_code: 'product.sku_taken' })
  assert.match(taken.error ?? '', /TAKEN/)
})

test('PATCH /admin/products/{product_id}/variants/{variant_id} updates the given fields', async () => {
  const { store, token, product, small, all } = await setUp()
  const line = `PATCH ${all}/${small}`
  const { data: before } = await request(`GET ${all}/${small}`, { token })

  const changed = await request(line, { token, body: { sale_price: 7, option_values: { Size: 'L' } } })
  const again = await request(line, { token, body: { sale_price: 7 } })

  assert.deepEqual(changed.data, { ...before, sale_price: 7, option_values: { Size: 'L' } })
  assert.equal(again.headers.get('ETag'), changed.headers.get('ETag'), 'the same again changes nothing')
  const { data: page } = await request(`GET /products/${product.slug}`, { store })
  assert.equal(page.special_price, 7)
  const sorted = await request('GET /products?price_max=7', { store })
  assert.equal(sorted.meta.total, 1, 'lists go by the new price')
  assert.equal((await events(store)).filter((type) => type === 'product.updated').length, 1)
  await request(line, { token, body: { is_active: false } })
  assert.equal((await request(`GET /products/${product.slug}`, { store })).data.variants.length, 1)
})

test('PATCH …/variants/{variant_id}: a change that conflicts with kept fields returns 422', async () => {
  const { store, token, small, all } = await setUp()
  await buildProduct(store, { variants: [{ sku: 'TAKEN' }] })
  const patch = (body: object) => request(`PATCH ${all}/${small}`, { token, body })
  await patch({ sale_price: 7, sale_starts_at: '2026-02-01T00:00:00Z' })
  const cases: [object, string][] = [
    [{ sale_ends_at: '2026-01-01T00:00:00Z' }, 'body.sale_ends_at'],
    [{ option_values: { Size: 'M' } }, 'body.option_values'],
    [{ option_values: {} }, 'body.option_values.Size'],
    [{ sku: 'M' }, 'body.sku'],
    [{ stock_on_hand: 3 }, 'body.stock_on_hand'],
  ]
  for (const [body, place] of cases) {
    const { status, detail } = await patch(body)
    assert.equal(status, 422)
    assert.equal(detail?.[0].loc.join('.'), place)
  }
  const taken = await patch({ sku: 'TAKEN' })
  assert.partialDeepStrictEqual(taken, { status: 409, error_code: 'product.sku_taken' })
})

test('DELETE …/variants/{variant_id} removes it from product and images and frees its SKU; the last one returns 409', async () => {
  const { store, token, product, small, medium, all } = await setUp()

  const deleted = await request(`DELETE ${all}/${medium}`, { token })
  const again = await request(`DELETE ${all}/${medium}`, { token })
  const last = await request(`DELETE ${all}/${small}`, { token })

  assert.partialDeepStrictEqual(deleted, { status: 200, data: null })
  assert.equal(again.status, 404)
  assert.partialDeepStrictEqual(last, { status: 409, error_code: 'product.last_variant' })
  const { data } = await request(`GET /admin/products/${product.id}`, { token })
  assert.deepEqual(
    data.variants.map(({ id }: { id: string }) => id),
    [small],
  )
  assert.deepEqual(data.images[0].variant_ids, [])
  await buildProduct(store, { variants: [{ sku: 'M' }] })
  const cart = await request('POST /cart/items', { store, body: { variant_id: medium, quantity: 1 } })
  assert.equal(cart.status, 404)
  await request(`DELETE /admin/products/${product.id}`, { token })
  await request(`POST /admin/products/${product.id}/restore`, { token })
  assert.equal(
    (await request(`GET ${all}`, { token })).data.length,
    1,
    'it does not come back with the product',
  )
})

test('one of two concurrent variants with one combination is saved', async () => {
  const { token, all, product } = await setUp()
  const add = (sku: string) => request(`POST ${all}`, { token, body: { sku, option_values: { Size: 'L' } } })

  const answers = await Promise.all(['L1', 'L2', 'L3'].map(add))

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
  freezeClock(new Date())
  const etag = (await request(`GET /admin/products/${product.id}`, { token })).headers.get('ETag') ?? ''
  const patch = (barcode: string) =>
    request(`PATCH ${all}/${product.variants[0]?.id}`, {
      token,
      body: { barcode },
      headers: { 'If-Match': etag },
    })
  assert.equal((await patch('1')).status, 200)
  const stale = { token, headers: { 'If-Match': etag } }
  const body = { sku: 'XL', option_values: { Size: 'XL' } }
  const refused = [
    await patch('2'),
    await request(`DELETE ${all}/${product.variants[0]?.id}`, stale),
    await request(`POST ${all}`, { ...stale, body }),
  ]
  for (const { error_code } of refused) assert.equal(error_code, 'resource.changed')
})

test("a variant below another product, or another store's, returns 404", async () => {
  const { store, token, small, all } = await setUp()
  const other = await buildProduct(store)
  const theirs = await buildProduct(await buildStore())
  const { token: analyst } = await buildStaff(store, { role: 'analyst' })
  const lines = [
    `/admin/products/${other.id}/variants/${small}`,
    `/admin/products/${theirs.id}/variants/${theirs.variants[0]?.id}`,
    `${all}/${theirs.variants[0]?.id}`,
    `${all}/${newId()}`,
  ]
  for (const path of lines)
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { body: { price: 1 } } : {}
      assert.equal((await request(`${method} ${path}`, { token, ...body })).status, 404, `${method} ${path}`)
    }
  const stock = `/admin/variants/${theirs.variants[0]?.id}/stock`
  assert.equal((await request(`GET ${stock}`, { token })).status, 404)
  assert.equal((await request(`POST ${stock}`, { token, body: { delta: 1 } })).status, 404)
  assert.equal((await request(`GET ${all}/${small}`, { token: analyst })).status, 200)
  assert.equal((await request(`DELETE ${all}/${small}`, { token: analyst })).status, 403)
})
