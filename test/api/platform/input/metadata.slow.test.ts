import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { type ApiResponse, type RequestOptions, request } from '#test/support/processes/app.ts'
import '#test/support/processes/gateway.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'

async function buildScene() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'administrator' })
  return { store, as: (line: string, asked: RequestOptions = {}) => request(line, { token, ...asked }) }
}
type Scene = Awaited<ReturnType<typeof buildScene>>

/** How metadata of one kind of resource is changed and read. */
interface Subject {
  /** `by` is the scene whose staff, or whose key, sends the request. */
  change(by: Scene, metadata: unknown): Promise<ApiResponse>
  read(): Promise<Record<string, string>>
}

/** A resource at one path of the admin API. */
const atPath = ({ as }: Scene, path: string): Subject => ({
  change: (by, metadata) => by.as(`PATCH ${path}`, { body: { metadata } }),
  read: async () => (await as(`GET ${path}`)).data.metadata,
})

const SUBJECTS: Record<string, (scene: Scene) => Promise<Subject>> = {
  product: async (scene) => atPath(scene, `/admin/products/${(await buildProduct(scene.store)).id}`),
  variant: async (scene) => {
    const { id, variants } = await buildProduct(scene.store)
    return atPath(scene, `/admin/products/${id}/variants/${variants[0]?.id}`)
  },
  customer: async (scene) => atPath(scene, `/admin/customers/${(await buildCustomer(scene.store)).id}`),
  order: async (scene) => atPath(scene, `/admin/orders/${(await buildOrder(scene.store)).id}`),
  coupon: async (scene) => atPath(scene, `/admin/coupons/${(await buildCoupon(scene.store)).id}`),
  voucher: async (scene) => atPath(scene, `/admin/vouchers/${(await buildVoucher(scene.store)).id}`),
  return: async (scene) => {
    const goodsBack = await buildReturn(scene.store, await buildShippedOrder(scene.store))
    return atPath(scene, `/admin/returns/${goodsBack.id}`)
  },
  cart: async ({ store }) => {
    const { data } = await request('PATCH /cart', { store, body: { metadata: {} } })
    const cart: string = data.token
    return {
      change: (by, metadata) => request('PATCH /cart', { store: by.store, cart, body: { metadata } }),
      read: async () => (await request('GET /cart', { store, cart })).data.metadata,
    }
  },
}

const manyKeys = (count: number, start = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${start + i}`, 'x']))

const REFUSED: Record<string, { metadata: unknown; loc: (string | number)[] }> = {
  'a value that is no text': { metadata: { key: 1 }, loc: ['body', 'metadata', 'key'] },
  'a nested object': { metadata: { key: { a: '1' } }, loc: ['body', 'metadata', 'key'] },
  'a list in place of the object': { metadata: [], loc: ['body', 'metadata'] },
  'a key of 41 characters': {
    metadata: { ['k'.repeat(41)]: 'x' },
    loc: ['body', 'metadata', 'k'.repeat(41)],
  },
  'an empty key': { metadata: { '': 'x' }, loc: ['body', 'metadata', ''] },
  'a value of 501 characters': { metadata: { key: 'x'.repeat(501) }, loc: ['body', 'metadata', 'key'] },
  'a 51st key': { metadata: manyKeys(50, 1), loc: ['body', 'metadata'] },
  '51 keys together': { metadata: manyKeys(51), loc: ['body', 'metadata'] },
}

for (const [noun, build] of Object.entries(SUBJECTS)) {
  test(`metadata of a ${noun}: keys merge, null and "" remove a key, null removes all`, async () => {
    const scene = await buildScene()
    const subject = await build(scene)
    const odd = { ['k'.repeat(40)]: 'x'.repeat(500), constructor: '👟', '1': 'ø' }

    const first = await subject.change(scene, {
      kept: '1',
      replaced: '2',
      removed: '3',
      emptied: '4',
      ...odd,
    })
    assert.equal(first.status, 200)
    await subject.change(scene, { replaced: 'new', removed: null, emptied: '', added: '5', unknown: null })

    const expected = { kept: '1', replaced: 'new', added: '5', ...odd }
    assert.deepEqual(await subject.read(), expected)
    await subject.change(scene, {})
    assert.deepEqual(await subject.read(), expected, 'an empty object changes nothing')
    await subject.change(scene, null)
    assert.deepEqual(await subject.read(), {})
  })

  for (const [name, { metadata, loc }] of Object.entries(REFUSED))
    test(`metadata of a ${noun} with ${name} returns 422 with its location`, async () => {
      const scene = await buildScene()
      const subject = await build(scene)
      await subject.change(scene, { 'key-0': 'before' })

      const { status, detail } = await subject.change(scene, metadata)

      assert.equal(status, 422)
      assert.deepEqual(detail[0].loc, loc)
      assert.deepEqual(await subject.read(), { 'key-0': 'before' })
    })

  test(`metadata of a ${noun} with a NUL character returns 400`, async () => {
    const scene = await buildScene()
    const subject = await build(scene)

    for (const metadata of [{ key: 'a\0b' }, { 'a\0b': 'x' }])
      assert.partialDeepStrictEqual(await subject.change(scene, metadata), {
        status: 400,
        error_code: 'request.malformed',
      })

    assert.deepEqual(await subject.read(), {})
  })

  test(`metadata of a ${noun} cannot be changed from another store`, async () => {
    const scene = await buildScene()
    const subject = await build(scene)
    await subject.change(scene, { key: 'own' })

    const { status, data } = await subject.change(await buildScene(), { key: 'foreign' })

    // A guest with an unknown token gets a new cart.
    if (noun === 'cart') assert.ok(data.token)
    else assert.equal(status, 404)
    assert.deepEqual(await subject.read(), { key: 'own' })
  })
}

test('metadata is set on creation', async () => {
  const { store, as } = await buildScene()
  const order = await buildShippedOrder(store)
  const metadata = { source: 'import', empty: '', none: null }
  const person = { firstname: 'Mary', lastname: 'Jackson', email: `m-${nextNumber()}@example.test` }
  const line = { order_item_id: order.lines[0]?.id, quantity: 1, reason: 'defective' }
  const bodies = {
    '/admin/products': {
      name_i18n: { en: 'Stool' },
      price: 10,
      variants: [{ sku: `SKU-${nextNumber()}-M`, metadata }],
    },
    '/admin/customers': person,
    '/admin/coupons': { code: `META-${nextNumber()}`, type: 'percent', value: 10 },
    '/admin/vouchers': { to_name: 'Mary', to_email: person.email, amount: 10 },
    '/admin/returns': { order_id: order.id, items: [line] },
  }

  for (const [path, body] of Object.entries(bodies)) {
    const { status, data } = await as(`POST ${path}`, { body: { ...body, metadata } })
    assert.equal(status, 201, path)
    assert.deepEqual(data.metadata, { source: 'import' }, path)
    if (data.variants) assert.deepEqual(data.variants[0].metadata, { source: 'import' })
  }
})

test('a duplicate of a product has its metadata and that of its variants', async () => {
  const { store, as } = await buildScene()
  const product = await buildProduct(store, {
    metadata: { erp: '1' },
    variants: [{ metadata: { erp: '2' } }],
  })

  const { data } = await as(`POST /admin/products/${product.id}/duplicate`)

  assert.deepEqual(data.metadata, { erp: '1' })
  assert.deepEqual(data.variants[0].metadata, { erp: '2' })
})

test('the order gets the metadata of the cart and the checkout, and the cart loses its metadata', async () => {
  const shop = await buildShop()
  const { token } = await buildStaff(shop.store, { role: 'sales' })
  const cart = await fillCart(shop.store, shop.variantId)
  await request('POST /cart/items', {
    store: shop.store,
    cart,
    body: { variant_id: (await buildProduct(shop.store)).variants[0]?.id, quantity: 1 },
  })
  const metadata = { gift_wrap: 'yes', color: 'red', until: 'today' }
  await request('PATCH /cart', { store: shop.store, cart, body: { metadata } })

  const { data } = await checkOut(shop, {
    cart,
    body: { metadata: { color: 'blue', until: null, ref: '7' } },
  })

  const expected = { gift_wrap: 'yes', color: 'blue', ref: '7' }
  assert.deepEqual(data.order.metadata, expected)
  const read = await request(`GET /admin/orders/${data.order.id}`, { token })
  assert.deepEqual(read.data.metadata, expected)
  assert.deepEqual((await request('GET /cart', { store: shop.store, cart })).data.metadata, {})
  const [event] = await eventsOf(shop.store, data.order.id)
  assert.deepEqual(event?.data.metadata, expected)
})

test('a checkout whose metadata has more than 50 keys together with those of the cart returns 422', async () => {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)
  await request('PATCH /cart', { store: shop.store, cart, body: { metadata: manyKeys(50) } })

  const { status, detail } = await checkOut(shop, { cart, body: { metadata: { more: '1' } } })

  assert.equal(status, 422)
  assert.deepEqual(detail[0].loc, ['body', 'metadata'])
  assert.equal((await request('GET /cart', { store: shop.store, cart })).data.items.length, 1)
})

test("DELETE /cart removes the cart's metadata", async () => {
  const { store } = await buildScene()
  const { data } = await request('PATCH /cart', { store, body: { metadata: { key: '1' } } })

  await request('DELETE /cart', { store, cart: data.token })

  assert.deepEqual((await request('GET /cart', { store, cart: data.token })).data.metadata, {})
})

test("on sign-in a guest's metadata replaces equal keys of the customer's cart, and 50 keys remain", async () => {
  const { store } = await buildScene()
  const { token, email, password } = await buildCustomer(store)
  const own = { ...manyKeys(49), color: 'red' }
  await request('PATCH /cart', { store, token, body: { metadata: own } })
  const guest = await request('PATCH /cart', { store, body: { metadata: { color: 'blue', gift: 'yes' } } })

  const body = { email, password }
  const { status } = await request('POST /auth/login', { store, cart: guest.data.token, body })

  const { data } = await request('GET /cart', { store, token })
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data.metadata, { color: 'blue', gift: 'yes' })
  assert.equal(Object.keys(data.metadata).length, 50)
})

test('a change of metadata of an order emits order.updated, with a new ETag', async () => {
  const { store, as } = await buildScene()
  const { id } = await buildOrder(store)
  const before = await as(`GET /admin/orders/${id}`)

  const { headers } = await as(`PATCH /admin/orders/${id}`, { body: { metadata: { erp: '7' } } })

  assert.notEqual(headers.get('etag'), before.headers.get('etag'))
  const event = (await eventsOf(store, id)).at(-1)
  assert.partialDeepStrictEqual(event, { type: 'order.updated', data: { metadata: { erp: '7' } } })
  const stale = { 'If-Match': before.headers.get('etag') ?? '' }
  const again = await as(`PATCH /admin/orders/${id}`, { headers: stale, body: { metadata: { erp: '8' } } })
  assert.equal(again.status, 412)
})

test('customer metadata is in events and exports, and not in GET /auth/me', async () => {
  const { store, as } = await buildScene()
  const { id, token } = await buildCustomer(store)

  await as(`PATCH /admin/customers/${id}`, { body: { metadata: { crm: '42' } } })

  const event = (await eventsOf(store, id)).at(-1)
  assert.partialDeepStrictEqual(event, { type: 'customer.updated', data: { metadata: { crm: '42' } } })
  const exported = await as(`GET /admin/customers/${id}/export`)
  assert.deepEqual(exported.data.customer.metadata, { crm: '42' })
  const me = await request('GET /auth/me', { store, token })
  assert.equal(me.status, 200)
  assert.ok(!JSON.stringify(me.data).includes('crm'))
})

test('two concurrent changes of metadata keep the keys of both', async () => {
  const { store, as } = await buildScene()
  const { id } = await buildOrder(store)
  const keys = Array.from({ length: 8 }, () => randomUUID())

  await Promise.all(
    keys.map((key) => as(`PATCH /admin/orders/${id}`, { body: { metadata: { [key]: 'x' } } })),
  )

  const { data } = await as(`GET /admin/orders/${id}`)
  assert.deepEqual(Object.keys(data.metadata).sort(), keys.sort())
})

interface Event {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: the payload of any kind of event
  data: any
}

const eventsOf = ({ id }: { id: string }, subjectId: string): Promise<Event[]> =>
  inStore(id, (tx) =>
    tx.knex('events').where({ store_id: id, subject_id: subjectId }).orderBy('id').select('type', 'data'),
  )
