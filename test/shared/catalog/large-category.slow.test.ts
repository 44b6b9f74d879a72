import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { filterSql } from '#shared/catalog/storefront/filter-sql.ts'
import { productPageSql } from '#shared/catalog/storefront/list-products.ts'
import { CONVERTED, FIRST_VALUE_AFTER_PRICES } from '#shared/catalog/storefront/prices-at-place.ts'
import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { findCouponByCode } from '#shared/coupons/find-coupon-by-code.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { buildCategory, buildProduct } from '#test/support/builders/catalog.ts'
import { copyRows } from '#test/support/builders/copy-rows.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildAttribute } from '#test/support/builders/taxonomy.ts'
import { superuser } from '#test/support/database.ts'
import { planOf } from '#test/support/measure/plan-of.ts'
import { request } from '#test/support/processes/app.ts'

// PostgreSQL expects few products in a category or with an attribute, because most have few.

/** More products than a list finds by their ids. */
const MANY = 6_000

let store: BuiltStore
let root: { id: string; slug: string }
let bare: { id: string; slug: string }
let small: { id: string; slug: string }
let product: { id: string }
let attributeId: string

before(async () => {
  store = await buildStore()
  root = await buildCategory(store)
  bare = await buildCategory(store)
  small = await buildCategory(store, { parentId: root.id })
  attributeId = (await buildAttribute(store)).id
  product = await buildProduct(store, {
    categoryIds: [root.id],
    attributes: [{ attributeId, value: 'Oak' }],
  })
  await inStore(store.id, async ({ knex }) => {
    const from = `generate_series(1, ${MANY}) n`
    const changes = `'slug', gen_random_uuid()`
    const categories = await copyRows(knex, { table: 'categories', of: { id: small.id }, from, changes })
    const others = await copyRows(knex, {
      table: 'products',
      of: { id: product.id },
      from,
      changes: `${changes}, 'sku', null`,
    })
    await knex.raw(
      `insert into product_categories (store_id, product_id, category_id)
       select ?::uuid, product_id, category_id from unnest(?::uuid[], ?::uuid[]) o (product_id, own_id)
       cross join lateral unnest(array[own_id, ?::uuid]) category_id`,
      [store.id, others, categories, root.id],
    )
    await knex.raw(
      `insert into product_attributes (store_id, id, product_id, attribute_id, value)
       select ?::uuid, gen_random_uuid(), product_id, ?, case number when 1 then 'Elm' else 'Oak' end
       from unnest(?::uuid[]) with ordinality o (product_id, number)`,
      [store.id, attributeId, others],
    )
  })
  await superuser.query('analyze products, categories, product_categories, product_attributes')
})

for (const name of ['category', 'attribute'])
  test(`a page of a common ${name} sorts its products without looking each of them up`, async () => {
    const context: StorefrontContext = {
      store: await inStore(store.id, readStore),
      language: 'en',
      catalogVersion: '',
      place: null,
    }
    const filter =
      name === 'category' ? { category: root.slug } : { attributes: [{ attributeId, value: 'Oak' }] }
    const sql = filterSql(context, filter, FIRST_VALUE_AFTER_PRICES + 2)
    const page = productPageSql(sql, CONVERTED, '(p.created_at) desc, p.id', 1_000)

    const plan = await inStore(store.id, ({ knex }) => planOf(knex, page, { isGeneric: true }))

    assert.match(plan, /Filter: .*hashed SubPlan/)
  })

test('the storefront finds all products with an attribute value, however many have it', async () => {
  const count = async (...values: string[]) => {
    const query = values.map((value) => `attribute=${attributeId}:${value}`).join('&')
    return (await request(`GET /products?${query}`, { store })).meta.total
  }

  assert.equal(await count('Oak'), MANY)
  assert.equal(await count('Elm'), 1)
  assert.equal(await count('Elm', 'Elm'), 1)
  assert.equal(await count('Oak', 'Elm', 'Oak'), MANY + 1)
  assert.equal(await count('Ash'), 0)
})

test('the storefront finds all products of a category, however many there are', async () => {
  const list = (query: string) => request(`GET /products?${query}`, { store })
  const children = await inStore(store.id, ({ knex }) =>
    knex('categories')
      .where({ store_id: store.id, parent_id: root.id })
      .whereNot('slug', small.slug)
      .select('slug')
      .limit(1),
  )

  assert.equal((await list(`category=${root.slug}`)).meta.total, MANY + 1)
  assert.equal((await list(`category=${root.slug}&page=61&page_size=100`)).data.length, 1)
  assert.equal((await list(`category=${root.slug}&price_min=999999`)).meta.total, 0)
  assert.equal((await list(`category=${bare.slug}`)).meta.total, 0)
  for (const { slug } of children) assert.equal((await list(`category=${slug}`)).data.length, 1)
})

test('a coupon of a large category reads only the categories of the products in the cart', async () => {
  const coupon = await buildCoupon(store, { categoryIds: [root.id] })

  const { found, read } = await inStore(store.id, async (tx) => {
    const before = await countRead(tx)
    const buyer = { customerId: null, email: null }
    const candidate = await findCouponByCode(tx, coupon.code, [product.id], buyer)
    return { found: candidate?.matchingIds, read: (await countRead(tx)) - before }
  })

  assert.deepEqual(found, [product.id])
  assert.ok(read <= 10, `${read} rows`)
})

/** How many rows of categories, and of their products, a connection has read. */
async function countRead({ knex }: StoreTx): Promise<number> {
  const { rows } = await knex.raw(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as read
     from pg_stat_xact_user_tables where relname in ('categories', 'product_categories')`,
  )
  return rows[0].read
}
