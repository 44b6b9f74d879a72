import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import '#test/support/database.ts'
import type { TObject, TSchema } from 'typebox'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import type { BuiltAccount } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildContentPage } from '#test/support/builders/content-pages.ts'
import { buildFullStore, type FullStore } from '#test/support/builders/full-store.ts'
import { buildImage } from '#test/support/builders/images.ts'
import { buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { buildAttribute, buildStockStatus } from '#test/support/builders/taxonomy.ts'
import { buildTheme, buildVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { buildProvider } from '#test/support/processes/identity-provider.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'
import { IN_PATHS, nameOf, parametersOf } from '#test/support/requests/names-in-requests.ts'

// Every list of the admin API takes the same parameters, and each of them has an effect.

const EVERY_LIST_TAKES = ['page', 'page_size', 'sort', 'q', 'created_from', 'created_to']

/** Answered whole, so without pages: sets that do not grow, the parts of one resource, and a feed with a cursor. */
const WITHOUT_PAGES = [
  'GET /admin/stores',
  'GET /admin/payment-methods',
  'GET /admin/event-types',
  'GET /admin/geo/countries',
  'GET /admin/geo/zones',
  'GET /admin/geo/geo-zones/:id/members',
  'GET /admin/products/:product_id/variants',
  'GET /admin/orders/:order_id/shipments',
  'GET /admin/orders/:order_id/history',
  'GET /admin/events',
  'GET /super-admin/queues',
  'GET /super-admin/auth/sessions',
]

/** Lists of which the full store has one item or none. */
const SHORT = [
  'GET /admin/catalog-jobs',
  'GET /admin/customer-imports',
  'GET /admin/questions',
  'GET /admin/coupons/:coupon_id/uses',
  'GET /admin/disputes',
  'GET /admin/affiliates/:id/commissions',
  'GET /admin/orders/:order_id/refunds',
  'GET /super-admin/queues/:name/failed',
  'GET /super-admin/audit-log',
]

const isOfStaff = ({ method, path }: Operation) => method === 'get' && /^\/(super-)?admin\//.test(path)
const arrays = endpoints.filter(
  (one) => isOfStaff(one) && (one.returns.at(-1) as TSchema & { type?: string }).type === 'array',
)
const lists = arrays.filter(({ paginated }) => paginated)

let store: FullStore
let root: BuiltAccount

before(async () => {
  store = await buildFullStore()
  root = await buildSuperAdmin()
  // The first read of the log is an entry in it.
  await request('GET /super-admin/audit-log', { token: root.token })
  await buildSecondItems(store)
})

/** A second record of every kind. */
async function buildSecondItems({ store, owner: { token }, other, variantId, ...of }: FullStore) {
  const post = async (path: string, body: object) => {
    const { status } = await request(`POST ${path}`, { token, body })
    assert.equal(status, 201, path)
  }
  await post('/admin/tax/classes', { name: 'Books' })
  await post('/admin/tax/rates', { name: 'Reduced', percent: 5, tax_class_id: of.taxClassId })
  await post('/admin/geo/geo-zones', { name: 'Alps', members: [{ country: 'AT' }] })
  await post('/admin/webhooks', { url: 'http://127.0.0.1:9/second', events: ['order.*'] })
  await post('/admin/api-tokens', { name: 'Second', rights: ['sales:read'] })
  await post('/admin/affiliates', { customer_id: of.candidateId })
  await post('/admin/campaigns', { name: 'Second', code: 'second-link' })
  await post('/admin/coupons', { code: 'SECOND', type: 'percent', value: 5 })
  const plan = { name_i18n: { en: 'Second' }, duration: 2, duration_unit: 'week' }
  await post('/admin/recurring-plans', plan)
  await post('/admin/domains', { domain: 'second.example' })
  await post('/admin/manufacturers', { name: 'Second' })
  await post('/admin/remote/links', { item_id: 'second', product_id: other.id })
  await buildTheme(store)
  await buildVoucher(store)
  await buildShippingMethod(store)
  await buildAttribute(store)
  await buildStockStatus(store)
  await buildProduct(store)
  await buildContentPage(store)
  await buildImage(store)
  await buildProvider(store, { code: 'another' })
  const shipped = await buildShippedOrder(store, { gateway })
  await buildReturn(store, shipped)
  for (const delta of [1, 2])
    await post(`/admin/variants/${variantId}/stock`, { delta, note: `Count ${delta}` })
  await request(`PATCH /admin/vouchers/${of.voucher.id}`, { token, body: { amount: 90 } })
  await withWorker(request(`POST /admin/webhooks/${of.webhookId}/test`, { token }))
  await buildStore()
}

/** The path of a list, of the paid order where it is of an order. */
const pathOf = (operation: Operation) =>
  parametersOf(operation).reduce(
    (path, parameter) => path.replace(/:\w+/, IN_PATHS[parameter]?.(store).at(0) ?? ''),
    operation.path
      .replace('stores/:id', `stores/${store.store.id}`)
      .replace('orders/:order_id', `orders/${store.orders.paid.id}`)
      .replace('queues/:name', 'queues/send-mail'),
  )

async function ask(operation: Operation, query: Record<string, string>) {
  const { token } = operation.path.startsWith('/super-admin') ? root : store.owner
  const search = new URLSearchParams({ page_size: '100', ...query })
  return request(`GET ${pathOf(operation)}?${search}`, { token })
}

const sortsOf = ({ query }: Operation): string[] => {
  const { sort } = (query as TObject).properties as Record<string, TSchema & { enum?: string[] }>
  return sort?.enum ?? []
}

const A_FIELD_IS_TEXT =
  /^(name|code|email|url|domain|number|slug|reason|event_type|kind|action|item_id|hint|body)$/

/** A text of an item that `q` must find. */
function wordOf(item: Record<string, unknown>): string | undefined {
  const { name_i18n: names } = item
  if (names) return Object.values(names)[0]
  const [found] = Object.entries(item).find(([field, value]) => A_FIELD_IS_TEXT.test(field) && value) ?? []
  return found && `${item[found]}`
}

test('every list of the admin has pages, or is answered whole', () => {
  const whole = arrays.filter(({ paginated }) => !paginated).map(nameOf)

  assert.deepEqual(whole.sort(), WITHOUT_PAGES.toSorted())
  assert.ok(lists.length >= 36, `${lists.length} lists`)
})

for (const operation of lists) {
  const name = nameOf(operation)

  test(`${name} takes the parameters of every list`, async () => {
    const { properties } = operation.query as TObject
    for (const parameter of EVERY_LIST_TAKES) assert.ok(properties[parameter], parameter)
    assert.ok((properties.q as { description?: string }).description, 'q says what it searches')
    assert.ok(sortsOf(operation).includes('-created_at'))

    const unknown = await ask(operation, { sort: 'no_such_field' })
    assert.equal(unknown.status, 422)
    assert.deepEqual(unknown.detail?.[0]?.loc, ['query', 'sort'])
    const late = await ask(operation, { created_from: 'yesterday' })
    assert.deepEqual(late.detail?.[0]?.loc, ['query', 'created_from'])
  })

  test(`${name} filters by creation time`, async () => {
    const totalOf = async (query: Record<string, string>) => (await ask(operation, query)).meta.total
    const all = await totalOf({})

    assert.equal(await totalOf({ created_from: '2999-01-01T00:00:00.000Z' }), 0)
    assert.equal(await totalOf({ created_to: '2000-01-01T00:00:00.000Z' }), 0)
    // The presets among the roles have no time.
    if (name !== 'GET /admin/roles')
      assert.equal(
        await totalOf({ created_from: '2000-01-01T00:00:00.000Z', created_to: '2999-01-01T00:00:00.000Z' }),
        all,
      )
  })

  test(`${name} sorts in both directions`, async () => {
    const itemsBy = async (sort: string): Promise<string[]> => {
      const items: string[] = []
      for (let page = 1; ; page++) {
        const { status, data, meta } = await ask(operation, { sort, page: String(page) })
        assert.equal(status, 200, sort)
        items.push(...data.map((item: { id?: string }) => item.id ?? JSON.stringify(item)))
        if (page >= meta.total_pages) return items
      }
    }
    const fields = sortsOf(operation).filter((sort) => !sort.startsWith('-'))
    for (const field of fields)
      assert.deepEqual((await itemsBy(`-${field}`)).reverse(), await itemsBy(field), field)
    const { meta } = await ask(operation, {})
    assert.ok(SHORT.includes(name) || meta.total > 1, `${name} has ${meta.total} items`)
  })

  test(`${name} searches`, async () => {
    const nothing = await ask(operation, { q: 'no such words anywhere' })
    assert.equal(nothing.status, 200)
    assert.deepEqual(nothing.data, [])

    const { data } = await ask(operation, {})
    const word = data[0] && wordOf(data[0])
    assert.ok(SHORT.includes(name) || word, `${name} has no text to search: ${JSON.stringify(data[0])}`)
    if (!word) return
    const found = await ask(operation, { q: word })
    assert.ok(
      found.data.some((item: unknown) => JSON.stringify(item) === JSON.stringify(data[0])),
      word,
    )
  })

  test(`${name} pages`, async () => {
    const all = await ask(operation, {})
    const second = await ask(operation, { page: '2', page_size: '1' })

    assert.deepEqual(second.data, all.data.slice(1, 2))
    assert.deepEqual(second.meta, { ...all.meta, page: 2, page_size: 1, total_pages: all.meta.total })
  })
}
