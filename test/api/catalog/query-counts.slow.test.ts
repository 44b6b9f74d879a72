import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import pg from 'pg'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCategory, buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildAttribute, buildAttributeGroup } from '#test/support/builders/taxonomy.ts'
import { request } from '#test/support/processes/app.ts'

interface NamedClient {
  connectionParameters: { application_name?: string }
}

/** The other connections send at intervals, whatever the work; knex asks a new one for its version. */
const isCounted = (client: unknown, asked: unknown): boolean =>
  (client as NamedClient).connectionParameters.application_name === 'commerce' &&
  asked !== 'select version();'

/** Counts what the pool sends while `work` runs: statements of a driver query, or of a pipeline, as one. */
async function countQueries(work: () => Promise<unknown>): Promise<number> {
  const send = pg.Client.prototype.query
  let sent = 0
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    if (isCounted(this, given[0])) sent += 1
    return (send as (...given: unknown[]) => unknown).apply(this, given)
  } as typeof send
  try {
    await work()
  } finally {
    pg.Client.prototype.query = send
  }
  return sent
}

const variants = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ optionValues: { Size: `${i}` } }))
const sizes = (count: number) => [{ name: 'Size', values: variants(count).map((_, i) => `${i}`) }]

test('a list of twenty products needs as many queries as a list of one', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const category = await buildCategory(store)
  const build = () =>
    buildProduct(store, { categoryIds: [category.id], options: sizes(5), variants: variants(5) })
  await build()
  const admin = () => countQueries(() => request('GET /admin/products', { token }))
  const shop = () => countQueries(() => request('GET /products', { store }))

  const one = [await admin(), await shop()]
  for (let i = 0; i < 19; i++) await build()
  const twenty = [await admin(), await shop()]

  assert.deepEqual(twenty, one)
  assert.equal(one[1], 3, 'the store, the page and the count')
})

/** Counts how often a prepared statement runs during `work`. */
async function countRuns(name: RegExp, work: () => Promise<unknown>): Promise<number> {
  const { bind } = pg.Connection.prototype
  let runs = 0
  pg.Connection.prototype.bind = function (this: pg.Connection, ...given) {
    if (name.test(given[0]?.statement ?? '')) runs += 1
    return bind.apply(this, given)
  }
  try {
    await work()
  } finally {
    pg.Connection.prototype.bind = bind
  }
  return runs
}

test('visitors who ask for a product at the same time share one read of it', async () => {
  const store = await buildStore()
  const slugs = Array.from({ length: 20 }, (_, i) => `mug-${i}`)
  for (const slug of slugs) await buildProduct(store, { slug })
  const ask = (asked: string[]) => () =>
    Promise.all(asked.map((slug) => request(`GET /products/${slug}`, { store })))

  const same = await countRuns(/read_product/, ask(slugs.map(() => 'mug-0')))
  const different = await countRuns(/read_product/, ask(slugs.slice(1)))

  assert.deepEqual({ same, different }, { same: 1, different: 19 })
})

test('creating a product with a hundred variants takes as many queries as with two', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const create = (count: number) =>
    countQueries(async () => {
      const body = {
        name_i18n: { en: 'Shirt' },
        slug: `shirt-${count}`,
        price: 10,
        options: sizes(count),
        variants: variants(count).map(({ optionValues }, i) => ({
          sku: `S-${count}-${i}`,
          option_values: optionValues,
          stock_on_hand: 1,
        })),
      }
      assert.equal((await request('POST /admin/products', { token, body })).status, 201)
    })
  await create(1)

  assert.equal(await create(100), await create(2))
})

test('replacing a part takes as many queries for every length', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const product = await buildProduct(store)
  const { id: groupId } = await buildAttributeGroup(store)
  const attributes: { id: string }[] = []
  for (let i = 0; i < 30; i++) attributes.push(await buildAttribute(store, { groupId }))
  const put = (part: string, items: unknown[]) =>
    countQueries(async () => {
      const line = `PUT /admin/products/${product.id}/${part}`
      assert.equal((await request(line, { token, body: { items } })).status, 200)
    })
  const values = (count: number, value: string) =>
    attributes.slice(0, count).map(({ id }) => ({ attribute_id: id, value }))
  const rules = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ kind: 'quantity', min_quantity: i + 2, price: 5 }))

  await put('attributes', values(1, 'first'))
  assert.equal(await put('attributes', values(30, 'a')), await put('attributes', values(2, 'b')))
  assert.equal(await put('price-rules', rules(30)), await put('price-rules', rules(2)))
})

test('reading a product and explaining a cart take as many queries with all parts as without', async () => {
  const store = await buildStore()
  const attribute = await buildAttribute(store)
  const plain = await buildProduct(store)
  const rich = await buildProduct(store, {
    attributes: [{ attributeId: attribute.id, value: 'Oak' }],
    priceRules: [1, 5].map((minQuantity) => ({
      minQuantity,
      priceMinor: 500n,
      startsAt: null,
      endsAt: null,
    })),
    relatedIds: [plain.id],
  })
  const page = (slug: string) => countQueries(() => request(`GET /products/${slug}`, { store }))
  const body = { product_id: rich.id, quantity: 5 }
  const { data } = await request('POST /cart/items', { store, body })
  const cart = () => countQueries(() => request('GET /cart?explain=true', { store, cart: data.token }))

  assert.equal(await page(rich.slug), await page(plain.slug))
  const one = await cart()
  await request('POST /cart/items', { store, cart: data.token, body: { ...body, product_id: plain.id } })
  assert.equal(await cart(), one)
})
