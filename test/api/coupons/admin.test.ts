import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCategory, buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'

const DAY_MS = 24 * 3600 * 1000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

async function scene(currency = 'EUR') {
  const store = await buildStore({ currency })
  const { token } = await buildStaff(store, { role: 'marketing' })
  const create = (body: object) =>
    request('POST /admin/coupons', { token, body: { ...TEN_PERCENT, ...body } })
  const change = (id: string, body: object, headers = {}) =>
    request(`PATCH /admin/coupons/${id}`, { token, body, headers })
  const list = (query = '') => request(`GET /admin/coupons${query}`, { token })
  return { store, token, create, change, list }
}

const TEN_PERCENT = { code: 'Welcome10', type: 'percent', value: 10 }

test('POST /admin/coupons creates a coupon from the required fields', async () => {
  const { token, create } = await scene()

  const made = await create({})

  assert.equal(made.status, 201)
  const { id, created_at, updated_at, ...rest } = made.data
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    code: 'Welcome10',
    name: '',
    description: '',
    type: 'percent',
    value: 10,
    min_total: 0,
    starts_at: null,
    ends_at: null,
    uses_total: null,
    uses_per_customer: null,
    uses_count: 0,
    logged_in_only: false,
    free_shipping: false,
    product_ids: [],
    category_ids: [],
    is_active: true,
    metadata: {},
  })
  const read = await request(`GET /admin/coupons/${id}`, { token })
  assert.deepEqual(read.data, made.data)
  assert.equal(read.headers.get('etag'), made.headers.get('etag'))
})

test('POST /admin/coupons saves all terms', async () => {
  const { store, create } = await scene()
  const product = await buildProduct(store)
  const category = await buildCategory(store)
  const terms = {
    code: 'SOMMER-ß',
    name: 'Summer',
    description: 'For the mailing of June',
    type: 'fixed',
    value: 12.5,
    min_total: 50,
    starts_at: inDays(1),
    ends_at: inDays(2),
    uses_total: 100,
    uses_per_customer: 2,
    logged_in_only: true,
    free_shipping: true,
    product_ids: [product.id],
    category_ids: [category.id],
    is_active: false,
    metadata: { campaign: 'june' },
  }

  const { data } = await create({ ...terms, product_ids: [product.id, product.id.toUpperCase()] })

  const { id: _, created_at: __, updated_at: ___, uses_count, ...kept } = data
  assert.deepEqual(kept, terms)
  assert.equal(uses_count, 0)
})

const TOMORROW = inDays(1)

const UNFIT: [why: string, body: object, loc: (string | number)[]][] = [
  ['nothing off', { value: 0 }, ['body', 'value']],
  ['less than nothing', { value: -1 }, ['body', 'value']],
  ['more than all', { value: 100.01 }, ['body', 'value']],
  ['a percentage of three decimals', { value: 33.333 }, ['body', 'value']],
  ['a tiny percentage', { value: 1e-7 }, ['body', 'value']],
  ['an amount finer than a cent', { type: 'fixed', value: 1.005 }, ['body', 'value']],
  ['a minimum finer than a cent', { min_total: 1.005 }, ['body', 'min_total']],
  ['another type', { type: 'gift' }, ['body', 'type']],
  ['a code with a blank', { code: 'TEN OFF' }, ['body', 'code']],
  ['no code', { code: '' }, ['body', 'code']],
  ['a code without end', { code: 'X'.repeat(65) }, ['body', 'code']],
  ['a code that cannot be seen', { code: 'TEN\u200b' }, ['body', 'code']],
  ['an end at its start', { starts_at: TOMORROW, ends_at: TOMORROW }, ['body', 'ends_at']],
  ['a date of no day', { ends_at: '2026-02-30T00:00:00Z' }, ['body', 'ends_at']],
  ['no use at all', { uses_total: 0 }, ['body', 'uses_total']],
  ['half a use', { uses_per_customer: 0.5 }, ['body', 'uses_per_customer']],
  ['uses without end', { uses_total: 2 ** 31 }, ['body', 'uses_total']],
  ['an unknown product', { product_ids: [newId()] }, ['body', 'product_ids', 0]],
  ['an unknown category', { category_ids: [newId()] }, ['body', 'category_ids', 0]],
  ['an id that is none', { product_ids: ['x'] }, ['body', 'product_ids', 0]],
  ['a count of its own', { uses_count: 5 }, ['body', 'uses_count']],
]

test('POST /admin/coupons with invalid terms returns 422 with their location', async () => {
  const { create } = await scene()

  for (const [why, body, loc] of UNFIT) {
    const { status, error_code, detail } = await create(body)
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'validation.failed' }, why)
    assert.deepEqual(detail[0].loc, loc, why)
  }
})

test('POST /admin/coupons accepts 100 percent, free shipping only, and 0.01 percent', async () => {
  const { create } = await scene()

  assert.equal((await create({ code: 'ALL', value: 100 })).data.value, 100)
  assert.equal((await create({ code: 'SHIP', value: 0, free_shipping: true })).data.value, 0)
  assert.equal((await create({ code: 'BIT', value: 0.01 })).data.value, 0.01)
})

for (const [currency, amount, finer] of [
  ['JPY', 500, 500.5],
  ['KWD', 1.255, 1.2555],
] as const)
  test(`POST /admin/coupons accepts an amount with the decimals of ${currency}`, async () => {
    const { create } = await scene(currency)

    const { data } = await create({ type: 'fixed', value: amount, min_total: amount })
    assert.partialDeepStrictEqual(data, { value: amount, min_total: amount })
    assert.equal((await create({ code: 'FINE', type: 'fixed', value: finer })).status, 422)
  })

test('POST /admin/coupons with a taken code in any case returns 409; other stores may use it', async () => {
  const { create } = await scene()
  const other = await scene()
  await create({ code: 'Straße' })

  for (const code of ['Straße', 'STRASSE', 'strasse']) {
    const { status, error_code } = await create({ code })
    assert.deepEqual({ status, error_code }, { status: 409, error_code: 'coupon.code_taken' })
  }
  assert.equal((await other.create({ code: 'Straße' })).status, 201)
})

test('concurrent POST /admin/coupons with one code create one coupon', async () => {
  const { create, list } = await scene()

  const made = await Promise.all(Array.from({ length: 8 }, () => create({})))

  assert.deepEqual(made.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)])
  assert.equal((await list()).meta.total, 1)
})

test('POST and PATCH /admin/coupons reject products and categories of another store', async () => {
  const { create, change, store } = await scene()
  const other = await buildStore()
  const { id: product } = await buildProduct(other)
  const { id: category } = await buildCategory(other)
  const { id } = await buildCoupon(store)

  for (const body of [{ product_ids: [product] }, { category_ids: [category] }]) {
    assert.equal((await create(body)).status, 422)
    assert.equal((await change(id, body)).status, 422)
  }
})

test('PATCH /admin/coupons/{coupon_id} updates the given fields and changes the ETag', async () => {
  const { create, change } = await scene()
  const made = await create({ uses_total: 5, name: 'Ten' })

  const changed = await change(made.data.id, { value: 15, uses_total: null })

  assert.equal(changed.status, 200)
  assert.deepEqual(
    { ...changed.data, updated_at: null },
    { ...made.data, value: 15, uses_total: null, updated_at: null },
  )
  assert.notEqual(changed.headers.get('etag'), made.headers.get('etag'))
})

test('PATCH /admin/coupons/{coupon_id} with an old If-Match returns 412', async () => {
  const { create, change } = await scene()
  const { data, headers } = await create({})
  const read = { 'If-Match': headers.get('etag') ?? '' }

  assert.equal((await change(data.id, { value: 11 }, read)).status, 200)
  const stale = await change(data.id, { value: 12 }, read)

  assert.partialDeepStrictEqual(stale, { status: 412, error_code: 'resource.changed' })
})

test('PATCH /admin/coupons/{coupon_id} validates the updated coupon as a whole', async () => {
  const { create, change } = await scene()
  const { id } = (await create({ ends_at: inDays(5) })).data
  const { id: shipping } = (await create({ code: 'SHIP', value: 0, free_shipping: true })).data

  for (const [coupon, body] of [
    [id, { starts_at: inDays(6) }],
    [id, { value: 0 }],
    [id, { type: 'fixed' }],
    [id, { type: 'percent', value: 101 }],
    [shipping, { free_shipping: false }],
    [id, {}],
  ] as const)
    assert.equal((await change(coupon, body)).error_code, 'validation.failed', JSON.stringify(body))

  const { data } = await change(id, { type: 'fixed', value: 250, starts_at: inDays(4) })
  assert.partialDeepStrictEqual(data, { type: 'fixed', value: 250 })
})

test('PATCH /admin/coupons/{coupon_id} rejects the code of another coupon and accepts its own in another case', async () => {
  const { create, change } = await scene()
  await create({ code: 'FIRST' })
  const { id } = (await create({ code: 'second' })).data

  const taken = await change(id, { code: 'first' })
  assert.partialDeepStrictEqual(taken, { status: 409, error_code: 'coupon.code_taken' })
  assert.equal((await change(id, { code: 'SECOND' })).data.code, 'SECOND')
})

test('DELETE /admin/coupons/{coupon_id} deactivates; the coupon stays listed, keeps its code and can be reactivated', async () => {
  const { token, create, change, list } = await scene()
  const made = await create({})
  const { id } = made.data

  for (const _ of ['once', 'twice']) {
    const removed = await request(`DELETE /admin/coupons/${id}`, { token })
    assert.partialDeepStrictEqual(removed, { status: 200, data: null })
  }

  const { data } = await list()
  assert.deepEqual({ id: data[0].id, is_active: data[0].is_active }, { id, is_active: false })
  assert.equal((await create({})).error_code, 'coupon.code_taken')
  const stale = await change(id, { is_active: true }, { 'If-Match': made.headers.get('etag') ?? '' })
  assert.equal(stale.status, 412)
  assert.equal((await change(id, { is_active: true })).data.is_active, true)
})

test('DELETE /admin/coupons/{coupon_id}?purge=true deletes an unused coupon', async () => {
  const { token, create } = await scene()
  const { id } = (await create({})).data

  const purged = await request(`DELETE /admin/coupons/${id}?purge=true`, { token })

  assert.partialDeepStrictEqual(purged, { status: 200, data: null })
  assert.equal((await request(`GET /admin/coupons/${id}`, { token })).status, 404)
  assert.equal((await request(`DELETE /admin/coupons/${id}?purge=true`, { token })).status, 404)
  assert.equal((await create({})).status, 201, 'its code is free again')
})

test('GET /admin/coupons filters, sorts and counts', async () => {
  const { store, list } = await scene()
  await buildCoupon(store, { code: 'SPRING', name: 'For March' })
  await buildCoupon(store, { code: 'Summer%', type: 'fixed', value: 5 })
  await buildCoupon(store, { code: 'autumn', name: 'MARCH winds', isActive: false })
  await buildCoupon(await buildStore(), { code: 'SPRING' })
  const codes = async (query: string) => (await list(query)).data.map(({ code }: { code: string }) => code)

  assert.deepEqual(await codes(''), ['autumn', 'Summer%', 'SPRING'])
  assert.deepEqual(await codes('?sort=code'), ['autumn', 'SPRING', 'Summer%'])
  assert.deepEqual(await codes('?q=SUM'), ['Summer%'])
  assert.deepEqual(await codes('?q=march&sort=created_at'), ['SPRING', 'autumn'])
  assert.deepEqual(await codes('?q=%25'), ['Summer%'], 'no wildcard')
  assert.deepEqual(await codes('?is_active=true&type=percent'), ['SPRING'])
  assert.deepEqual(await codes('?is_active=false'), ['autumn'])
  assert.deepEqual(await codes(`?created_from=${inDays(1)}`), [])
  assert.equal((await codes(`?created_to=${inDays(1)}`)).length, 3)
  assert.deepEqual((await list('?page=2&page_size=2')).meta, {
    page: 2,
    page_size: 2,
    total: 3,
    total_pages: 2,
  })
  assert.equal((await list('?status=open')).error_code, 'validation.failed')
})

test('GET /admin/coupons needs the same number of queries for one coupon and for many', async () => {
  const { store, list } = await scene()
  await buildCoupon(store)
  const one = await countQueries(() => list())
  for (const _ of [1, 2, 3]) await buildCoupon(store)

  assert.equal(await countQueries(() => list()), one)
})

test("another store's coupon and an unknown one return 404", async () => {
  const { token } = await scene()
  const theirs = await buildCoupon(await buildStore())

  for (const id of [theirs.id, newId()])
    for (const [line, body] of [
      [`GET /admin/coupons/${id}`],
      [`PATCH /admin/coupons/${id}`, { value: 5 }],
      [`DELETE /admin/coupons/${id}`],
      [`DELETE /admin/coupons/${id}?purge=true`],
      [`GET /admin/coupons/${id}/uses`],
    ] as const) {
      const { status, error_code } = await request(line, { token, ...(body ? { body } : {}) })
      assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' }, line)
    }
})

testBooks()
