import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'

const MONTHLY = { name_i18n: { en: 'Every month' }, duration: 1, duration_unit: 'month' }
const TRIAL = { price: 1.5, duration: 2, duration_unit: 'week', cycle: 3, max_quantity: 2 }

async function scene(currency = 'EUR') {
  const store = await buildStore({ currency })
  const { token } = await buildStaff(store, { role: 'owner' })
  const create = (body: object = {}) =>
    request('POST /admin/recurring-plans', { token, body: { ...MONTHLY, ...body } })
  const change = (id: string, body: object, headers = {}) =>
    request(`PATCH /admin/recurring-plans/${id}`, { token, body, headers })
  const read = (id: string) => request(`GET /admin/recurring-plans/${id}`, { token })
  const remove = (id: string) => request(`DELETE /admin/recurring-plans/${id}`, { token })
  const list = (query = '') => request(`GET /admin/recurring-plans${query}`, { token })
  return { store, token, create, change, read, remove, list }
}

test('POST /admin/recurring-plans creates a plan from the required fields', async () => {
  const { create, read } = await scene()

  const made = await create()

  assert.equal(made.status, 201)
  const { id, created_at, updated_at, ...rest } = made.data
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    ...MONTHLY,
    price: null,
    cycle: 0,
    trial: null,
    is_active: true,
    sort_order: 0,
    product_ids: [],
  })
  const found = await read(id)
  assert.deepEqual(found.data, made.data)
  assert.equal(found.headers.get('etag'), made.headers.get('etag'))
})

test('POST /admin/recurring-plans saves all terms', async () => {
  const { store, create, read } = await scene()
  const product = await buildProduct(store)
  const terms = {
    name_i18n: { en: 'Twice a month', de: 'Zweimal im Monat' },
    price: 9.95,
    duration: 366,
    duration_unit: 'semi_month',
    cycle: 12,
    trial: TRIAL,
    is_active: false,
    sort_order: 7,
    product_ids: [product.id],
  }

  const { data } = await create({ ...terms, product_ids: [product.id, product.id.toUpperCase()] })

  const { id, created_at: _, updated_at: __, ...kept } = data
  assert.deepEqual(kept, terms)
  assert.deepEqual((await read(id)).data, data)
})

test('PATCH replaces the trial and the products; absent fields stay', async () => {
  const { store, create, change } = await scene()
  const [first, second] = [await buildProduct(store), await buildProduct(store)]
  const { data } = await create({ price: 5, trial: TRIAL, product_ids: [first.id] })

  const changed = await change(data.id, { trial: { ...TRIAL, cycle: 1 }, product_ids: [second.id] })
  const cleared = await change(data.id, { trial: null, price: null, product_ids: [] })

  assert.partialDeepStrictEqual(changed.data, {
    price: 5,
    trial: { ...TRIAL, cycle: 1 },
    product_ids: [second.id],
  })
  assert.partialDeepStrictEqual(cleared.data, { ...MONTHLY, price: null, trial: null, product_ids: [] })
})

test('a trial without max_quantity is for one unit', async () => {
  const { create } = await scene()
  const { max_quantity: _, ...trial } = TRIAL

  const { data } = await create({ trial })

  assert.deepEqual(data.trial, { ...trial, max_quantity: 1 })
})

test('PATCH with the ETag of an earlier state returns 412', async () => {
  const { create, change, read } = await scene()
  const { data, headers } = await create()
  const headersOf = { 'If-Match': headers.get('etag') ?? '' }

  const first = await change(data.id, { sort_order: 1 }, headersOf)
  const second = await change(data.id, { sort_order: 2 }, headersOf)

  assert.deepEqual({ first: first.status, second: second.status }, { first: 200, second: 412 })
  assert.equal((await read(data.id)).data.sort_order, 1)
})

test('a deleted plan is neither found nor listed', async () => {
  const { create, read, remove, change, list } = await scene()
  const { data } = await create()

  const removed = await remove(data.id)

  assert.partialDeepStrictEqual(removed, { status: 200, data: null })
  assert.equal((await read(data.id)).status, 404)
  assert.equal((await change(data.id, { sort_order: 1 })).status, 404)
  assert.equal((await remove(data.id)).status, 404)
  assert.deepEqual((await list()).data, [])
})

const INVALID: Record<string, [body: object, loc: (string | number)[]]> = {
  'without a name': [{ name_i18n: {} }, ['name_i18n']],
  'with a blank name': [{ name_i18n: { en: ' ' } }, ['name_i18n', 'en']],
  'of 0 months': [{ duration: 0 }, ['duration']],
  'of 367 days': [{ duration: 367, duration_unit: 'day' }, ['duration']],
  'of an unknown unit': [{ duration_unit: 'fortnight' }, ['duration_unit']],
  'of half a cycle': [{ cycle: 0.5 }, ['cycle']],
  'of 1,001 charges': [{ cycle: 1_001 }, ['cycle']],
  'at a negative price': [{ price: -1 }, ['price']],
  'at a tenth of a cent': [{ price: 1.001 }, ['price']],
  'at a price above the maximum': [{ price: 1e12 }, ['price']],
  'with a trial without periods': [{ trial: { ...TRIAL, cycle: 0 } }, ['trial', 'cycle']],
  'with a trial of 0 weeks': [{ trial: { ...TRIAL, duration: 0 } }, ['trial', 'duration']],
  'with a trial without a price': [{ trial: { ...TRIAL, price: null } }, ['trial', 'price']],
  'with a trial at a tenth of a cent': [{ trial: { ...TRIAL, price: 0.001 } }, ['trial', 'price']],
  'with a trial for no units': [{ trial: { ...TRIAL, max_quantity: 0 } }, ['trial', 'max_quantity']],
  'with a trial for 1,000 units': [{ trial: { ...TRIAL, max_quantity: 1_000 } }, ['trial', 'max_quantity']],
  'with an unknown field of the trial': [{ trial: { ...TRIAL, status: 1 } }, ['trial', 'status']],
  'with a negative sort order': [{ sort_order: -1 }, ['sort_order']],
  'for more than 1,000 products': [{ product_ids: Array.from({ length: 1_001 }, newId) }, ['product_ids']],
}

for (const [name, [body, loc]] of Object.entries(INVALID))
  test(`a plan ${name} returns 422 at body.${loc.join('.')} and changes nothing`, async () => {
    const { create, change, read, list } = await scene()
    const { data } = await create()

    const { status, detail } = await change(data.id, body)

    assert.deepEqual({ status, loc: detail?.[0]?.loc }, { status: 422, loc: ['body', ...loc] })
    assert.deepEqual((await read(data.id)).data, data)
    assert.equal((await create(body)).status, 422)
    assert.equal((await list()).meta.total, 1)
  })

test('products of another store, deleted and unknown ones return 422 at their index', async () => {
  const { store, token, create, change, read } = await scene()
  const own = await buildProduct(store)
  const deleted = await buildProduct(store)
  await request(`DELETE /admin/products/${deleted.id}`, { token })
  const foreign = await buildProduct(await buildStore())
  const product_ids = [own.id, foreign.id, deleted.id, own.id, newId()]
  const { data } = await create({ product_ids: [own.id] })

  const [created, changed] = [await create({ product_ids }), await change(data.id, { product_ids })]

  for (const refused of [created, changed]) {
    assert.equal(refused.status, 422)
    assert.deepEqual(
      refused.detail?.map(({ loc }: { loc: unknown }) => loc),
      [1, 2, 4].map((index) => ['body', 'product_ids', index]),
    )
  }
  assert.deepEqual((await read(data.id)).data, data)
})

test('another store finds no plan', async () => {
  const { create } = await scene()
  const { data } = await create()
  const other = await scene()

  assert.equal((await other.read(data.id)).status, 404)
  assert.equal((await other.change(data.id, { is_active: false })).status, 404)
  assert.equal((await other.remove(data.id)).status, 404)
  assert.deepEqual((await other.list()).data, [])
})

test('the list sorts by sort order and filters by state, product and name', async () => {
  const { store, create, list } = await scene()
  const product = await buildProduct(store)
  const last = await create({ sort_order: 2, name_i18n: { de: 'Jährlich' } })
  const first = await create({ sort_order: 1, product_ids: [product.id] })
  const off = await create({ sort_order: 1, is_active: false })
  const idsOf = async (query?: string) => (await list(query)).data.map(({ id }: { id: string }) => id)

  assert.deepEqual(await idsOf(), [first.data.id, off.data.id, last.data.id])
  assert.deepEqual(await idsOf('?is_active=false'), [off.data.id])
  assert.deepEqual(await idsOf(`?product_id=${product.id}`), [first.data.id])
  assert.deepEqual(await idsOf(`?product_id=${newId()}`), [])
  assert.deepEqual(await idsOf('?q=jähr'), [last.data.id])
})

test('the number of statements of a list does not grow with it', async () => {
  const { store, create, list } = await scene()
  const product = await buildProduct(store)
  await create({ product_ids: [product.id] })
  await list()
  const one = await countQueries(() => list())
  for (let i = 0; i < 5; i++) await create({ product_ids: [product.id] })

  assert.equal(await countQueries(() => list()), one)
})

test('amounts have the decimals of the currency', async () => {
  const { create } = await scene('JPY')

  const { data } = await create({ price: 980, trial: { ...TRIAL, price: 0 } })

  assert.partialDeepStrictEqual(data, { price: 980, trial: { price: 0 } })
  assert.deepEqual((await create({ price: 9.5 })).detail?.[0]?.loc, ['body', 'price'])
})

test('a product has at most 20 plans, also when two are created at the same time', async () => {
  const { store, create, change, read } = await scene()
  const product = await buildProduct(store)
  const body = { product_ids: [product.id] }
  for (let made = 0; made < 19; made++) await create(body)

  const atOnce = await Promise.all([create(body), create(body)])
  const { data: other } = await create()
  const added = await change(other.id, body)

  assert.deepEqual(atOnce.map(({ status }) => status).sort(), [201, 409])
  assert.partialDeepStrictEqual(added, { status: 409, error_code: 'recurring_plan.limit_reached' })
  assert.deepEqual((await read(other.id)).data, other)
})

test('staff of sales create, rename and delete plans, but set no price, trial or products', async () => {
  const { store, token: owner, create, read } = await scene()
  const product = await buildProduct(store)
  const { token } = await buildStaff(store, { role: 'sales' })
  const { data: plan } = await create({ price: 5 })
  const path = `/admin/recurring-plans/${plan.id}`
  const call = (line: string, body?: object, by = token) =>
    request(line, { token: by, ...(body ? { body } : {}) })

  for (const prices of [
    { price: 2 },
    { price: null },
    { trial: TRIAL },
    { trial: null },
    { product_ids: [product.id] },
    { product_ids: [] },
  ])
    for (const refused of [
      await call('POST /admin/recurring-plans', { ...MONTHLY, ...prices }),
      await call(`PATCH ${path}`, prices),
    ])
      assert.partialDeepStrictEqual(
        refused,
        { status: 403, error_code: 'auth.forbidden' },
        JSON.stringify(prices),
      )
  assert.deepEqual((await read(plan.id)).data, plan)

  const created = await call('POST /admin/recurring-plans', MONTHLY)
  const renamed = await call(`PATCH ${path}`, { name_i18n: { en: 'Monthly' }, is_active: false })
  assert.deepEqual({ created: created.status, renamed: renamed.status }, { created: 201, renamed: 200 })
  assert.equal((await call(`DELETE ${path}`)).status, 200)
  assert.equal(
    (await call(`PATCH /admin/recurring-plans/${created.data.id}`, { price: 2 }, owner)).status,
    200,
  )
})
