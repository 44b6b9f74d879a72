import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { MAX_WISHLIST_ITEMS } from '#shared/wishlist/errors.ts'
import { WishlistItem } from '#shared/wishlist/wishlist-item.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { request } from '#test/support/processes/app.ts'

async function shopper() {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const as = { store, token: customer.token }
  return {
    store,
    customer,
    as,
    add: (productId: unknown) => request('POST /wishlist', { ...as, body: { product_id: productId } }),
    read: (query = '') => request(`GET /wishlist${query}`, as),
    remove: (productId: string) => request(`DELETE /wishlist/${productId}`, as),
  }
}

const ids = (items: { product_id: string }[]) => items.map(({ product_id }) => product_id)

test('POST /wishlist returns the item with exactly the documented fields', async () => {
  const { store, as } = await shopper()
  const product = await buildProduct(store, {
    slug: 'jacket',
    nameI18n: { en: 'Jacket', de: 'Jacke' },
    images: [
      { url: 'https://images.test/1.jpg', alt: '', variantSkus: [] },
      { url: 'https://images.test/2.jpg', alt: '', variantSkus: [] },
    ],
  })

  const { status, data } = await request('POST /wishlist', {
    ...as,
    headers: { 'Accept-Language': 'de' },
    body: { product_id: product.id },
  })

  const { id, created_at, ...rest } = data
  assert.equal(status, 201)
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(rest, {
    product_id: product.id,
    product_name: 'Jacke',
    product_slug: 'jacket',
    price: 10,
    primary_image_url: 'https://images.test/1.jpg',
  })
})

test('adding a product again returns 200 with the same item', async () => {
  const { store, add, read } = await shopper()
  const { id } = await buildProduct(store)

  const first = await add(id)
  const again = await add(id.toUpperCase())

  assert.equal(first.status, 201)
  assert.equal(again.status, 200)
  assert.deepEqual(again.data, first.data)
  assert.equal((await read()).meta.total, 1)
})

test('concurrent requests for one product add one item', async () => {
  const { store, add, read } = await shopper()
  const { id } = await buildProduct(store)

  const answers = await Promise.all(Array.from({ length: 20 }, () => add(id)))

  const created = answers.filter(({ status }) => status === 201)
  assert.equal(created.length, 1)
  assert.equal(new Set(answers.map(({ data }) => data.id)).size, 1)
  assert.equal((await read()).meta.total, 1)
})

test('the price is the lowest current price of the published variants', async () => {
  const { store, add, read } = await shopper()
  const { id } = await buildProduct(store, {
    priceMinor: 5_000n,
    options: [{ name: 'Size', values: ['S', 'M', 'L', 'XL'] }],
    variants: [
      { optionValues: { Size: 'S' } },
      { optionValues: { Size: 'M' }, priceMinor: 4_000n },
      { optionValues: { Size: 'L' }, salePriceMinor: 3_000n, saleEndsAt: inMs(10 * MINUTE_MS) },
      { optionValues: { Size: 'XL' }, priceMinor: 100n, isActive: false },
    ],
  })

  const during = await add(id)
  moveClock(15 * MINUTE_MS)
  const after = await read()

  assert.equal(during.data.price, 30)
  assert.equal(after.data[0].price, 40)
})

test('a wishlist item shows the price of one unit by the price rules that apply now, or else the price of the product', async () => {
  const { store, add } = await shopper()
  const forOne = { minQuantity: 1, priceMinor: 800n, startsAt: null, endsAt: null }
  const given = { priceRules: [forOne, { ...forOne, minQuantity: 10, priceMinor: 500n }] }
  const [product, bare] = [
    await buildProduct(store, given),
    await buildProduct(store, { priceRules: [{ ...forOne, startsAt: inMs(MINUTE_MS) }] }),
  ]

  assert.equal((await add(product.id)).data.price, 8)
  assert.equal((await add(bare.id)).data.price, 10)
})

test('a product without a published variant shows its own price', async () => {
  const { store, add } = await shopper()
  const { id } = await buildProduct(store, { priceMinor: 1_234n, variants: [{ isActive: false }] })

  assert.equal((await add(id)).data.price, 12.34)
})

test('primary_image_url is empty without an image', async () => {
  const { store, add } = await shopper()

  assert.equal((await add((await buildProduct(store)).id)).data.primary_image_url, '')
})

test('GET /wishlist lists the newest first, paged', async () => {
  const { store, add, read } = await shopper()
  const products = [await buildProduct(store), await buildProduct(store), await buildProduct(store)]
  for (const { id } of products) await add(id)
  const newestFirst = products.map(({ id }) => id).reverse()

  const all = await read()
  const second = await read('?page=2&page_size=2')
  const beyond = await read('?page=9')

  assert.deepEqual(ids(all.data), newestFirst)
  assert.deepEqual(all.meta, { page: 1, page_size: 20, total: 3, total_pages: 1 })
  assert.deepEqual(ids(second.data), newestFirst.slice(2))
  assert.deepEqual(second.meta, { page: 2, page_size: 2, total: 3, total_pages: 2 })
  assert.deepEqual({ data: beyond.data, total: beyond.meta.total }, { data: [], total: 3 })
})

test('an empty wishlist returns an empty list', async () => {
  const { read } = await shopper()

  const { data, meta } = await read()

  assert.deepEqual({ data, meta }, { data: [], meta: { page: 1, page_size: 20, total: 0, total_pages: 0 } })
})

test('GET /wishlist takes one number of statements for every length', async () => {
  const { store, add, read } = await shopper()
  await add((await buildProduct(store)).id)
  const one = await countStatements(() => read())
  for (let i = 0; i < 10; i++) await add((await buildProduct(store)).id)

  assert.equal(await countStatements(() => read()), one)
})

test('DELETE /wishlist/{product_id} removes the item; again returns 404', async () => {
  const { store, add, read, remove } = await shopper()
  const [kept, gone] = [await buildProduct(store), await buildProduct(store)]
  for (const { id } of [kept, gone]) await add(id)

  const first = await remove(gone.id)
  const again = await remove(gone.id)

  assert.partialDeepStrictEqual(first, { status: 200, data: null })
  assert.partialDeepStrictEqual(again, { status: 404, error_code: 'resource.not_found' })
  assert.deepEqual(ids((await read()).data), [kept.id])
})

test("an unknown, unpublished, deleted or another store's product returns 404", async () => {
  const { store, add, read } = await shopper()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const deleted = await buildProduct(store)
  await request(`DELETE /admin/products/${deleted.id}`, { token })
  const hidden = await buildProduct(store, { isActive: false })
  const foreign = await buildProduct(await buildStore())

  for (const id of [newId(), hidden.id, deleted.id, foreign.id]) {
    const { status, error_code } = await add(id)
    assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' })
  }
  assert.equal((await read()).meta.total, 0)
})

test('an item is hidden while its product is unpublished', async () => {
  const { store, add, read, remove } = await shopper()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const product = await buildProduct(store)
  const added = await add(product.id)
  const publish = (isActive: boolean) =>
    request(`PATCH /admin/products/${product.id}`, { token, body: { is_active: isActive } })

  await publish(false)
  const hidden = await read()
  const addedHidden = await add(product.id)
  await publish(true)
  const back = await read()
  await publish(false)
  const removed = await remove(product.id)

  assert.deepEqual({ data: hidden.data, total: hidden.meta.total }, { data: [], total: 0 })
  assert.equal(addedHidden.status, 404)
  assert.deepEqual(back.data, [added.data])
  assert.equal(removed.status, 200)
})

test('each customer has an own wishlist', async () => {
  const { store, add } = await shopper()
  const { id } = await buildProduct(store)
  await add(id)
  const { token } = await buildCustomer(store)

  assert.deepEqual((await request('GET /wishlist', { store, token })).data, [])
  assert.equal((await request(`DELETE /wishlist/${id}`, { store, token })).status, 404)
})

test('the 501st visible item returns 422 wishlist.limit_reached', async () => {
  const { store, customer, add, remove } = await shopper()
  const products = await Promise.all([1, 2].map(() => buildProduct(store)))
  await fillUp(store, customer.id, MAX_WISHLIST_ITEMS - 1)

  const last = await add(products[0]?.id)
  const tooMany = await add(products[1]?.id)
  const again = await add(products[0]?.id)
  await remove(products[0]?.id ?? '')
  const inItsPlace = await add(products[1]?.id)
  await inStore(store.id, (tx) =>
    tx.knex('products').where({ store_id: store.id, slug: 'filler-1' }).update({ is_active: false }),
  )
  const besideHidden = await add(products[0]?.id)

  assert.equal(last.status, 201)
  assert.equal(again.status, 200)
  assert.equal(inItsPlace.status, 201)
  assert.equal(besideHidden.status, 201)
  assert.partialDeepStrictEqual(tooMany, { status: 422, error_code: 'wishlist.limit_reached' })
})

const fillUp = (store: { id: string }, customerId: string, count: number) =>
  inStore(store.id, async (tx) => {
    const like = await buildProduct(store)
    await tx.knex.raw(
      `insert into products (store_id, id, slug, name_i18n, price_minor, created_at, updated_at)
       select store_id, gen_random_uuid(), 'filler-' || n, name_i18n, price_minor, created_at, updated_at
       from products cross join generate_series(1, ?) n where id = ?`,
      [count, like.id],
    )
    const rows = await tx.knex('products').whereLike('slug', 'filler-%').select('id')
    await WishlistItem.in(tx).insert(
      rows.map(({ id: productId }) => ({ customerId, productId, createdAt: new Date() })) as never,
    )
  })

test('the wishlist without a customer token returns 401', async () => {
  const store = await buildStore()
  const { id } = await buildProduct(store)
  const { token } = await buildStaff(store, { role: 'owner' })

  for (const asked of [{ store }, { store, token }])
    for (const line of ['GET /wishlist', 'POST /wishlist', `DELETE /wishlist/${id}`])
      assert.equal((await request(line, asked)).error_code, 'auth.not_authenticated', line)
})

test('an invalid request returns 422 with its faults', async () => {
  const { as, add, remove } = await shopper()
  const fault = async (answer: ReturnType<typeof request>) => {
    const { status, detail } = await answer
    return [status, detail[0].loc, detail[0].type]
  }

  assert.deepEqual(await fault(add('stool')), [422, ['body', 'product_id'], 'uuid_parsing'])
  assert.deepEqual(await fault(add(7)), [422, ['body', 'product_id'], 'string_type'])
  assert.deepEqual(await fault(request('POST /wishlist', { ...as, body: {} })), [
    422,
    ['body', 'product_id'],
    'missing',
  ])
  assert.deepEqual(await fault(remove('stool')), [422, ['path', 'product_id'], 'uuid_parsing'])
  for (const query of ['page=0', 'page_size=0', 'page_size=101', 'sort=name'])
    assert.equal((await request(`GET /wishlist?${query}`, as)).status, 422, query)
})
