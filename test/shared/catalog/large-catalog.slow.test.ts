import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listAdminProducts } from '#shared/catalog/search/list-admin-products.ts'
import { filterSql } from '#shared/catalog/storefront/filter-sql.ts'
import { listProducts, type ProductSort, productPageSql } from '#shared/catalog/storefront/list-products.ts'
import { CONVERTED, FIRST_VALUE_AFTER_PRICES } from '#shared/catalog/storefront/prices-at-place.ts'
import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { config } from '#shared/platform/config/config.ts'
import { waitingWork } from '#shared/platform/db/connection-waits.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { limitOfPool, limitStoreConnections, UNLIMITED } from '#shared/platform/db/store-connection-limit.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { readStore, type Store } from '#shared/stores/store.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { explain } from '#test/support/measure/explain.ts'
import { planOf } from '#test/support/measure/plan-of.ts'
import { request } from '#test/support/processes/app.ts'
import { pending, untilSomeWait } from '#test/support/races/overlap.ts'
import { until } from '#test/support/races/until.ts'

// In a store of 300,000 products, a probe of the variants for each product takes longer than a statement may.

/** More products than an index looks up one by one. */
const MANY = 6_000
const LONG_AGO = '2020-01-01T00:00:00.000Z'

let built: BuiltStore
let store: Store
let token: string

before(async () => {
  built = await buildStore()
  token = (await buildStaff(built, { role: 'owner' })).token
  store = await inStore(built.id, readStore)
  await buildProduct(built, { variants: [{ stockOnHand: 5 }] })
  await superuser.query(
    `insert into products overriding user value select copy.*
     from products one, generate_series(1, ${MANY}) n,
       jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'slug', 'copy-' || n, 'sku', null,
         'description_i18n', jsonb_build_object('en', (select string_agg(md5(n || '-' || i), '') from generate_series(1, 50) i)))) copy
     where one.store_id = '${built.id}'`,
  )
  await superuser.query(
    `insert into product_variants
       (store_id, id, product_id, sku, position, stock_on_hand, stock_changed_at, created_at, updated_at)
     select store_id, gen_random_uuid(), id, slug, 0, case when slug = 'copy-7' then 0 else 3 end, created_at, created_at,
       updated_at
     from products where store_id = '${built.id}' and slug like 'copy-%'`,
  )
  await superuser.query('vacuum analyze products, product_variants')
})

const planOfCount = (filter: { inStock: boolean }): Promise<string> =>
  inStore(store.id, async ({ knex }) => {
    const context: StorefrontContext = { store, language: 'en', catalogVersion: '', place: null }
    const { withs, condition } = filterSql(context, filter, 1)
    return planOf(knex, `${withs} select count(*) from products p where ${condition}`)
  })

const NOT_HASHED = /(?<!hashed )SubPlan \d+\)/

for (const { inStock, lookup } of [
  { inStock: true, lookup: /Hash (Right )?Semi Join/ },
  { inStock: false, lookup: /hashed SubPlan/ },
])
  test(`a count of products by stock (${inStock}) reads the variants once, and not for each product`, async () => {
    const plan = await planOfCount({ inStock })

    assert.match(plan, lookup)
    assert.doesNotMatch(plan, NOT_HASHED)
    assert.doesNotMatch(plan, /Nested Loop/)
  })

test('a page of products out of stock compares no product with each variant', async () => {
  // A connection keeps the generic plan, whatever the values of the other filters.
  const context: StorefrontContext = { store, language: 'en', catalogVersion: '', place: null }
  const sql = filterSql(context, { inStock: false, priceMinMinor: 0n }, FIRST_VALUE_AFTER_PRICES + 2)
  const page = productPageSql(sql, CONVERTED, 'p.created_at desc, p.id', 1_000)

  const plan = await inStore(store.id, ({ knex }) => planOf(knex, page, { isGeneric: true }))

  assert.match(plan, /Filter: .*hashed SubPlan/)
  assert.doesNotMatch(plan, /Anti Join/)
})

test('the storefront lists products in stock and out of stock', async () => {
  const count = async (query: string) =>
    (await request(`GET /products?${query}`, { store: built })).meta.total
  const { data } = await request('GET /products?in_stock=false', { store: built })

  assert.deepEqual(
    data.map(({ slug }: { slug: string }) => slug),
    ['copy-7'],
  )
  assert.equal(await count('in_stock=true'), MANY)
  assert.equal(await count('in_stock=false'), 1)
  assert.equal(await count('in_stock=true&price_min=999999'), 0)
})

/** Reads 100 pages of a list at a time. Returns the codes of those that were refused. */
async function readPages(sort: ProductSort): Promise<string[]> {
  const context = { store, language: 'en', catalogVersion: '', place: null }
  const pages = Array.from({ length: 100 }, (_, n) =>
    listProducts(context, {}, { page: n + 1, pageSize: 1, sort }),
  )
  const answers = await Promise.allSettled(pages)
  return answers.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
}

test('some of 100 concurrent lists of a large catalog by name return 429', async () => {
  const refused = await readPages('name')

  assert.deepEqual([...new Set(refused)], ['rate_limit.exceeded'])
  assert.ok(refused.length < 100, `${refused.length} of 100`)
})

test('none of 100 concurrent lists of a large catalog by price, which has an index, is refused', async () => {
  assert.deepEqual(await readPages('price'), [])
})

test('a list of many changed products looks up none of them separately', async () => {
  const plans = await explain(store, (tx) =>
    listAdminProducts(tx, store, { page: 1, page_size: 20, updated_from: LONG_AGO }),
  )

  const ofList = plans.filter((plan) => /updated_at >= |stock_changed_at >= /.test(plan))
  const [ofChanges, ...others] = ofList.filter((plan) => plan.includes('Append'))
  assert.match(ofChanges ?? '', /Limit/)
  assert.deepEqual(others, [])
  assert.ok(ofList.length >= 3, 'the changes, the count and the page')
})

test('a list of many changed products finds those that changed within both times', async () => {
  const count = async (query: string) => (await request(`GET /admin/products?${query}`, { token })).meta.total
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString()

  assert.equal(await count(`updated_from=${LONG_AGO}`), MANY + 1)
  assert.equal(await count(`updated_from=${LONG_AGO}&updated_to=${tomorrow}`), MANY + 1)
  assert.equal(await count(`updated_to=${LONG_AGO}`), 0)
  assert.equal(await count(`updated_from=${tomorrow}`), 0)
})

const ONE = { name: 'one_in_test', text: 'select 1::text' }
const COUNT = { name: 'count_in_test', text: 'select count(*) from products' }
const POOL = config().DATABASE_POOL

after(() => limitStoreConnections(UNLIMITED))

/**
 * Starts reads while products are locked, and another read of the store once `waiting` of them wait for the lock. Then
 * `look` looks at the other read, before the lock is released.
 */
async function readBeside<T>(
  waiting: number,
  reads: () => Promise<unknown>[],
  look: (isDone: () => boolean) => Promise<T>,
): Promise<T> {
  limitStoreConnections(limitOfPool(POOL, 60_000))
  await superuser.query('begin; lock products in access exclusive mode')
  const started = reads()
  await untilSomeWait(waiting)
  let isDone = false
  const other = readInStore(store.id, ONE, []).then(() => {
    isDone = true
  })
  const seen = await look(() => isDone)
  await superuser.query('rollback')
  await Promise.all([...started, other])
  return seen
}

const untilDone = (isDone: () => boolean) => until('the other read is done', async () => isDone())

const FIRST = { page: 1, pageSize: 1, sort: 'price' } as const
const listFirst = (filter: { tag?: string }) =>
  listProducts({ store, language: 'en', catalogVersion: '', place: null }, filter, FIRST)
const listByTags = () => Array.from({ length: 8 }, (_, n) => listFirst({ tag: `tag ${n}` }))

test('lists by a filter without an index leave connections of a large store to its other reads', async () => {
  await listFirst({})

  await readBeside(2, listByTags, untilDone)
})

test('lists by such a filter that began without a free connection leave connections, too', async () => {
  await listFirst({})
  limitStoreConnections(limitOfPool(POOL, 60_000))
  const held = await Promise.all(
    Array.from({ length: POOL / 2 }, () =>
      pending(
        (work) => inStore(store.id, work),
        async () => {},
      ),
    ),
  )
  const listAndRelease = () => {
    const lists = listByTags()
    for (const { commit } of held) commit()
    return [...lists, ...held.map(({ done }) => done)]
  }

  await readBeside(2, listAndRelease, untilDone)
})

test('control: counts without a permit use all connections of their store', async () => {
  const counts = () => Array.from({ length: 8 }, () => readInStore(store.id, COUNT, []))
  const before = waitingWork()

  const isDone = await readBeside(POOL / 2, counts, async (isDone) => {
    await until('the other read waits', async () => waitingWork() === before + 8 - POOL / 2 + 1)
    return isDone()
  })

  assert.equal(isDone, false)
})
