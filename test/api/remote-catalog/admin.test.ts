import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { awaitReply, countPendingReplies } from '#shared/platform/notify/reply-channel.ts'
import { inMs } from '#shared/platform/time/clock.ts'
import { RemoteRead } from '#shared/remote-catalog/remote-read.ts'
import { TILL_MODES } from '#test/sandbox/till/behaviour.ts'
import { startTill } from '#test/sandbox/till.ts'
import { rawRequest, request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { buildProduct } from '#test/support/build-catalog.ts'
import { buildTill, buildTillKey, connectTill } from '#test/support/build-remote.ts'
import { countStatements } from '#test/support/count-statements.ts'
import { rowsOf } from '#test/support/rows-of.ts'
import { runWorker } from '#test/support/worker.ts'
import { readRemoteCatalog } from '#workers/remote-catalog/read-remote-catalog.ts'

const till = await buildTill()
await runWorker({ after }, [readRemoteCatalog])

async function setUp(t: TestContext, settings: Parameters<typeof connectTill>[2] = {}) {
  t.after(() => {
    till.behave({ mode: 'normal' })
    till.release()
  })
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  const key = await connectTill(store, till, settings)
  const browse = (query = '') => request(`GET /admin/remote/catalog?${query}`, { token })
  const importItem = (id: string, key?: string) =>
    request(`POST /admin/remote/catalog/${encodeURIComponent(id)}/import`, {
      token,
      ...(key ? { key } : {}),
    })
  const link = (item_id: string, product_id: string) =>
    request('POST /admin/remote/links', { token, body: { item_id, product_id } })
  return { store, token, key, browse, importItem, link }
}

/** The types of RemoteCatalogItem (interface document, section 2). */
const FIELDS = {
  id: 'string',
  name: 'string',
  type: 'string',
  is_active: 'boolean',
  code: 'string',
  sku: 'string',
  barcode: 'string',
  unit: 'string',
  price: 'string',
  vat_percent: 'string',
  category_id: 'string',
  category_name: 'string',
  image_url: 'string',
  update_date: 'date-time',
  linked: 'boolean',
  linked_product_id: 'string',
  vat_allowed: 'boolean',
  unit_known: 'boolean',
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** Only a date can be absent. */
const typeOf = (value: unknown) =>
  value === null || DATE_TIME.test(String(value)) ? 'date-time' : typeof value

test('GET /admin/remote/catalog returns a page of items with the eighteen documented fields', async (t) => {
  const { browse } = await setUp(t)

  const { status, data, meta } = await browse('page=1&page_size=200')

  assert.equal(status, 200)
  assert.equal(meta, null)
  assert.deepEqual(Object.keys(data), ['items', 'page', 'page_size', 'total'])
  assert.deepEqual(
    { page: data.page, page_size: data.page_size, total: data.total, itemsCount: data.items.length },
    { page: 1, page_size: 200, total: 300, itemsCount: 200 },
  )
  for (const item of data.items)
    assert.deepEqual(
      Object.entries(item).map(([name, value]) => [name, typeOf(value)]),
      Object.entries(FIELDS),
      item.id,
    )
})

test('GET /admin/remote/catalog returns prices and percents as the till writes them, and missing fields empty', async (t) => {
  const { browse } = await setUp(t)
  const { items } = (await browse()).data
  const numbered = (n: number) => items[n - 1]

  assert.equal(numbered(1).price, '1.90')
  assert.equal(numbered(7).price, '7.5')
  assert.equal(numbered(15).price, '0012.500')
  assert.equal(numbered(13).price, 'on request')
  assert.partialDeepStrictEqual(numbered(15), { vat_percent: '19,0', vat_allowed: false })
  assert.equal(numbered(1).vat_allowed, true)
  const { name, type, is_active, price, id, ...empty } = numbered(11)
  assert.deepEqual(empty, {
    code: '',
    sku: '',
    barcode: '',
    unit: '',
    vat_percent: '',
    category_id: '',
    category_name: '',
    image_url: '',
    update_date: null,
    linked: false,
    linked_product_id: '',
    vat_allowed: false,
    unit_known: false,
  })
  assert.equal(numbered(10).is_active, false)
  assert.partialDeepStrictEqual(numbered(16), { is_active: true, barcode: '4006381333931' })
  assert.partialDeepStrictEqual(numbered(17), { is_active: true, unit_known: false })
  assert.equal(numbered(1).unit_known, true)
  assert.equal(numbered(18).update_date, '2026-02-01T08:00:00.000Z')
})

test('GET /admin/remote/catalog forwards its query; an invalid one returns 422', async (t) => {
  const { browse, key, token } = await setUp(t)

  const found = await browse('q=TILL-0004&is_active=false&updated_since=2026-01-01T00:00:00Z&page_size=1')
  const shelf = await browse('category_id=cat-3&page=2&page_size=7')

  assert.deepEqual(
    found.data.items.map(({ sku }: { sku: string }) => sku),
    ['TILL-00040'],
  )
  assert.equal(found.data.page_size, 1)
  assert.deepEqual({ page: shelf.data.page, itemsCount: shelf.data.items.length }, { page: 2, itemsCount: 7 })
  assert.deepEqual([...new URLSearchParams(till.reads(key)[0]?.split('?')[1])].sort(), [
    ['is_active', 'false'],
    ['page', '1'],
    ['page_size', '1'],
    ['q', 'TILL-0004'],
    ['updated_since', '2026-01-01T00:00:00Z'],
  ])
  for (const bad of [
    'page_size=201',
    'page_size=0',
    'page=0',
    'page=1.5',
    'sort=name',
    'q=',
    'updated_since=soon',
  ]) {
    const { status, error_code } = await request(`GET /admin/remote/catalog?${bad}`, { token })
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'validation.failed' }, bad)
  }
  assert.equal(till.reads(key).length, 2)
})

test('GET /admin/remote/catalog marks the items linked to products of this store', async (t) => {
  const { store, browse, link, token } = await setUp(t)
  const other = await setUp(t)
  const [product, deleted] = [await buildProduct(store), await buildProduct(store)]
  await link('item-00002', product.id)
  await link('item-00003', deleted.id)
  await request(`DELETE /admin/products/${deleted.id}`, { token })

  const linked = async (page: { data: { items: Record<string, unknown>[] } }) =>
    page.data.items
      .filter((item) => item.linked)
      .map(({ id, linked_product_id }) => ({ id, linked_product_id }))

  assert.deepEqual(await linked(await browse()), [{ id: 'item-00002', linked_product_id: product.id }])
  assert.deepEqual(await linked(await other.browse()), [])
})

test("GET /admin/remote/catalog allows the VAT of the store's tax rates; an import uses their tax class", async (t) => {
  const { token, browse, importItem } = await setUp(t)
  const make = async (path: string, body: object) => (await request(`POST ${path}`, { token, body })).data.id
  const standard = await make('/admin/tax/classes', { name: 'Standard' })
  const reduced = await make('/admin/tax/classes', { name: 'Reduced' })
  await make('/admin/tax/rates', { name: 'VAT', percent: 19, tax_class_id: standard })

  const { items } = (await browse('page_size=4')).data
  const imported = await importItem('item-00001')
  await make('/admin/tax/rates', { name: 'VAT', percent: 19, tax_class_id: reduced })
  const ambiguous = await importItem('item-00002')

  assert.deepEqual(
    items.map(({ vat_percent, vat_allowed }: Record<string, unknown>) => ({ vat_percent, vat_allowed })),
    [
      { vat_percent: '19.00', vat_allowed: true },
      { vat_percent: '19.00', vat_allowed: true },
      { vat_percent: '7', vat_allowed: false },
      { vat_percent: '19.00', vat_allowed: true },
    ],
  )
  assert.equal(imported.data.tax_class_id, standard)
  assert.equal(ambiguous.data.tax_class_id, null)
})

test('GET /admin/remote/catalog runs as many statements for 200 items as for one', async (t) => {
  const { token } = await setUp(t)
  await request('GET /admin/remote/catalog?page_size=2', { token })

  const one = await countStatements(() => request('GET /admin/remote/catalog?page_size=1', { token }))
  const many = await countStatements(() => request('GET /admin/remote/catalog?page_size=200', { token }))

  // The worker in this process polls for jobs at the same time.
  assert.ok(many <= one + 10, `${one} statements for one, ${many} for 200`)
})

test('GET /admin/remote/catalog stores no catalog data in the database', async (t) => {
  const { store, browse, key } = await setUp(t)

  const { data } = await browse('page_size=200')

  const rows = await rowsOf(store)
  const all = JSON.stringify(rows)
  for (const { id, name, barcode } of data.items.slice(0, 20))
    for (const mark of [id, name, barcode].filter((text) => text.length > 8))
      assert.ok(!all.includes(mark), mark)
  assert.deepEqual(rows.remote_reads, [])
  assert.ok(!all.includes(key))
})

test('GET /admin/remote/catalog without a connection returns 409 remote.not_configured', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })

  const { status, error_code } = await request('GET /admin/remote/catalog', { token })

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'remote.not_configured' })
})

for (const mode of TILL_MODES.filter((one) => !['normal', 'slow', 'hang'].includes(one)))
  test(`GET /admin/remote/catalog returns 502 for a till in mode "${mode}"`, async (t) => {
    const { browse, key } = await setUp(t)
    till.behave({ mode, location: `${till.url}/items` })

    const { status, error_code, data, error } = await browse()

    assert.deepEqual(
      { status, error_code, data },
      { status: 502, error_code: 'remote.unavailable', data: null },
    )
    assert.ok(!error?.includes(key) && !error?.includes(till.url))
    assert.equal(till.reads(key).length, 1)
  })

test('GET /admin/remote/catalog returns 502 for an unreachable till and for a refused API key', async (t) => {
  const { browse, store } = await setUp(t)
  const stopped = await startTill()
  await stopped.stop()

  await connectTill(store, stopped)
  const unreachable = await browse()
  await connectTill(store, till, { apiKey: 'short' })
  const refused = await browse()

  for (const { status, error_code } of [unreachable, refused])
    assert.deepEqual({ status, error_code }, { status: 502, error_code: 'remote.unavailable' })
  assert.match(refused.error ?? '', /refuses the API key/)
})

test('GET /admin/remote/catalog sends one till request for concurrent equal requests, and another one later', async (t) => {
  const { token, key } = await setUp(t)
  const other = await setUp(t)
  till.behave({ mode: 'hang' })
  const browse = (as: string, query: string) => request(`GET /admin/remote/catalog?${query}`, { token: as })

  const first = browse(token, 'q=mug&page=1')
  await till.untilHeld(1)
  const joined = Array.from({ length: 12 }, () => browse(token, 'page=1&q=mug'))
  const apart = [browse(token, 'page=2&q=mug'), browse(other.token, 'q=mug&page=1')]
  await till.untilHeld(3)
  await untilJoined(13 + 2)
  till.behave({ mode: 'normal' })
  till.release()

  const answers = await Promise.all([first, ...joined])
  for (const { status, data } of answers)
    assert.deepEqual({ status, data }, { status: 200, data: answers[0]?.data })
  for (const { status } of await Promise.all(apart)) assert.equal(status, 200)
  assert.equal(till.reads(key).length, 2)
  assert.equal(till.reads(other.key).length, 1)
  await browse(token, 'q=mug&page=1')
  assert.equal(till.reads(key).length, 3)
})

async function untilJoined(count: number) {
  while (countPendingReplies() < count) await new Promise((resolve) => setImmediate(resolve))
}

test('GET /admin/remote/catalog returns 429 at once when the throttle would exceed the deadline', async (t) => {
  const { token, key } = await setUp(t, { requestsPerSecond: 0.1, burst: 1 })
  till.behave({ mode: 'hang' })
  const browse = (query: string) => request(`GET /admin/remote/catalog?${query}`, { token })

  const asked = browse('page=1')
  await till.untilHeld(1)
  const waiting = browse('page=2')
  await untilJoined(2)
  const { status, error_code, headers } = await browse('page=3')
  till.behave({ mode: 'normal' })
  till.release()

  assert.deepEqual(
    { status, error_code, retryAfter: headers.get('retry-after') },
    { status: 429, error_code: 'remote.rate_limited', retryAfter: '10' },
  )
  assert.equal((await asked).status, 200)
  // The throttle waits ten seconds, longer than the rest of the request's deadline of ten.
  assert.equal((await waiting).status, 429)
  assert.equal(till.reads(key).length, 1)
})

test('GET /admin/remote/catalog returns 429 at once when 500 requests wait in the process', async (t) => {
  const { browse, key } = await setUp(t)
  const others = Array.from({ length: 500 }, () => awaitReply(newId(), 500).reply)

  const crowded = await browse()
  await Promise.all(others)
  const alone = await browse()

  assert.partialDeepStrictEqual(crowded, { status: 429, error_code: 'remote.rate_limited' })
  assert.equal(crowded.headers.get('retry-after'), '1')
  assert.equal(alone.status, 200)
  assert.equal(till.reads(key).length, 1)
})

test("GET /admin/remote/catalog applies the till's 429 to all stores with the same API key", async (t) => {
  const strict = await buildTill({ perSecond: 1, burst: 1, banMs: 40_000 })
  const key = buildTillKey()
  const [one, other] = [await setUp(t), await setUp(t)]
  await connectTill(one.store, strict, { apiKey: key })
  await connectTill(other.store, strict, { apiKey: key })
  // The physical till uses the key up.
  await fetch(`${strict.url}/items`, { headers: { 'X-Api-Key': key } })

  const refused = await one.browse()
  const spared = await other.browse()

  assert.partialDeepStrictEqual(refused, { status: 429, error_code: 'remote.rate_limited' })
  assert.equal(refused.headers.get('retry-after'), '40')
  assert.partialDeepStrictEqual(spared, { status: 429, error_code: 'remote.rate_limited' })
  assert.ok(Number(spared.headers.get('retry-after')) > 30)
  assert.equal(strict.account(key).requests, 2)
})

test('POST /admin/remote/catalog/{id}/import creates an unpublished product and links it to the item', async (t) => {
  const { store, importItem, browse, token } = await setUp(t)

  const { status, data } = await importItem('item-00002')

  assert.equal(status, 201)
  const { name_i18n, sku, price, is_active, variants, images } = data
  assert.deepEqual(name_i18n, { en: 'Brass brush no. 2' })
  assert.deepEqual({ sku, price, is_active }, { sku: 'TILL-00002', price: 2.9, is_active: false })
  assert.deepEqual(
    variants.map((variant: { sku: string; barcode: string; stock_on_hand: number }) => ({
      sku: variant.sku,
      barcode: variant.barcode,
      stock_on_hand: variant.stock_on_hand,
    })),
    [{ sku: 'TILL-00002', barcode: '4000000015838', stock_on_hand: 0 }],
  )
  assert.equal(images[0].url, 'https://till.example/images/00002.jpg')
  const [item] = (await browse('q=TILL-00002')).data.items
  assert.partialDeepStrictEqual(item, { linked: true, linked_product_id: data.id })
  const { data: links } = await request('GET /admin/remote/links', { token })
  assert.deepEqual(
    { item_id: links[0].item_id, product_id: links[0].product_id },
    { item_id: 'item-00002', product_id: data.id },
  )
  const { data: entries } = await request('GET /admin/audit-log?page_size=1', { token })
  assert.deepEqual(entries[0].resource, { type: 'remote/catalog', id: 'item-00002' })
  assert.ok((await rowsOf(store)).events?.some((row) => row.includes('product.created')))
})

test('POST /admin/remote/catalog/{id}/import creates one product for repeated and concurrent requests', async (t) => {
  const { importItem, token } = await setUp(t)

  const answers = await Promise.all(Array.from({ length: 6 }, () => importItem('item-00005')))
  const again = await importItem('item-00005')
  const keyed = [await importItem('item-00006', 'one-key'), await importItem('item-00006', 'one-key')]

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409, 409])
  assert.partialDeepStrictEqual(again, { status: 409, error_code: 'remote.item_linked' })
  assert.equal(keyed[1]?.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(keyed[1]?.data, keyed[0]?.data)
  assert.equal((await request('GET /admin/products', { token })).meta.total, 2)
})

test('POST /admin/remote/catalog/{id}/import parses the price exactly; an invalid price returns remote.item_not_importable', async (t) => {
  const { importItem, token } = await setUp(t)

  assert.equal((await importItem('item-00015')).data.price, 12.5)
  assert.equal((await importItem('item-00007')).data.price, 7.5)
  for (const id of ['item-00012', 'item-00013', 'item-00014']) {
    const { status, error_code } = await importItem(id)
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'remote.item_not_importable' }, id)
  }
  assert.equal((await request('GET /admin/products', { token })).meta.total, 2)
})

test('POST /admin/remote/catalog/{id}/import accepts items with missing fields or special characters in the id', async (t) => {
  const { importItem } = await setUp(t)

  const bare = await importItem('item-00011')
  const odd = await importItem('19/ö ?&=#')
  const struck = await importItem('item-00020')
  const plain = await importItem('item-00023')

  assert.deepEqual(
    [bare, odd, struck, plain].map(({ status }) => status),
    [201, 201, 201, 201],
  )
  assert.equal(bare.data.sku, '')
  assert.equal(odd.data.sku, 'C00019')
  assert.equal(struck.data.name_i18n.en, 'Turned back and struck')
})

test('POST /admin/remote/catalog/{id}/import returns 409 for a taken SKU and 404 for an unknown item, without a change', async (t) => {
  const { importItem, token, key } = await setUp(t)
  await importItem('item-00021')

  const taken = await importItem('item-00022')
  const unknown = await importItem('item-99999')
  const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 0\r\n`
  const dots = await rawRequest(`POST /api/v1/admin/remote/catalog/%2e%2e/import HTTP/1.1\r\n${head}`)

  assert.partialDeepStrictEqual(taken, { status: 409, error_code: 'product.sku_taken' })
  assert.partialDeepStrictEqual(unknown, { status: 404, error_code: 'remote.item_not_found' })
  assert.match(dots, /^HTTP\/1\.1 422 /)
  assert.deepEqual(till.reads(key), ['/items/item-00021', '/items/item-00022', '/items/item-99999'])
  assert.equal((await request('GET /admin/remote/links', { token })).meta.total, 1)
})

test('POST /admin/remote/links links one item to one product', async (t) => {
  const { store, link, token } = await setUp(t)
  const [one, other, gone] = [await buildProduct(store), await buildProduct(store), await buildProduct(store)]
  await request(`DELETE /admin/products/${gone.id}`, { token })
  const elsewhere = await buildProduct(await buildStore())

  const made = await link('A-1', one.id.toUpperCase())
  const answers = [
    await link('A-1', other.id),
    await link('A-2', one.id),
    await link('A-1', one.id),
    await link('A-3', gone.id),
    await link('A-3', newId()),
    await link('A-3', elsewhere.id),
  ]

  assert.equal(made.status, 201)
  assert.deepEqual(Object.keys(made.data), ['id', 'item_id', 'product_id', 'created_at'])
  assert.equal(made.data.product_id, one.id)
  assert.deepEqual(
    answers.map(({ error_code }) => error_code),
    [
      'remote.item_linked',
      'remote.product_linked',
      'remote.item_linked',
      'resource.not_found',
      'resource.not_found',
      'resource.not_found',
    ],
  )
})

test('POST /admin/remote/links replaces the link of a deleted product', async (t) => {
  const { store, link, token } = await setUp(t)
  const [old, next] = [await buildProduct(store), await buildProduct(store)]
  await link('A-1', old.id)
  await request(`DELETE /admin/products/${old.id}`, { token })

  const { data: none } = await request('GET /admin/remote/links', { token })
  const again = await link('A-1', next.id)

  assert.deepEqual(none, [])
  assert.equal(again.status, 201)
})

test('GET and DELETE /admin/remote/links list and remove links', async (t) => {
  const { store, link, token } = await setUp(t)
  const other = await setUp(t)
  const products = await Promise.all([1, 2, 3].map(() => buildProduct(store)))
  for (const [i, { id }] of products.entries()) await link(`A-${i}`, id)

  const { data, meta } = await request('GET /admin/remote/links?page_size=2', { token })
  const foreign = await request(`DELETE /admin/remote/links/${data[0].id}`, { token: other.token })
  const removed = await request(`DELETE /admin/remote/links/${data[0].id}`, { token })
  const again = await request(`DELETE /admin/remote/links/${data[0].id}`, { token })

  assert.deepEqual(
    data.map(({ item_id }: { item_id: string }) => item_id),
    ['A-2', 'A-1'],
  )
  assert.partialDeepStrictEqual(meta, { total: 3, total_pages: 2 })
  assert.deepEqual(
    {
      foreignStatus: foreign.status,
      removedStatus: removed.status,
      data: removed.data,
      againStatus: again.status,
    },
    { foreignStatus: 404, removedStatus: 200, data: null, againStatus: 404 },
  )
  assert.equal((await link('A-2', products[2]?.id ?? '')).status, 201)
})

test('GET /admin/remote/settings without a connection returns the defaults', async () => {
  const { token } = await buildStaff(await buildStore(), { role: 'owner' })

  const { data, headers } = await request('GET /admin/remote/settings', { token })

  assert.deepEqual(data, {
    base_url: '',
    has_api_key: false,
    requests_per_second: 2,
    burst: 1,
    shared_with_till: false,
    till_reserve_percent: 50,
    updated_at: null,
  })
  assert.equal(headers.get('etag'), null)
})

const save = (token: string, body: object, headers = {}) =>
  request('PUT /admin/remote/settings', { token, body, headers })

test('PUT /admin/remote/settings stores the API key encrypted and never returns it', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  const api_key = buildTillKey()

  const { status, data, headers } = await save(token, { base_url: `${till.url}/api/`, api_key, burst: 3 })
  const read = await request('GET /admin/remote/settings', { token })
  await save(token, { base_url: `${till.url}/api`, shared_with_till: true })

  assert.deepEqual(
    { status, base_url: data.base_url, has_api_key: data.has_api_key, burst: data.burst },
    { status: 200, base_url: `${till.url}/api`, has_api_key: true, burst: 3 },
  )
  assert.deepEqual(read.data, data)
  assert.equal(read.headers.get('etag'), headers.get('etag'))
  const { data: entries } = await request('GET /admin/audit-log', { token })
  assert.deepEqual(entries[0].resource, { type: 'remote/settings', id: '' })
  assert.equal(entries[0].before.burst, 3)
  assert.equal(entries[0].after.burst, 1)
  for (const text of [JSON.stringify([data, read, entries]), JSON.stringify(await rowsOf(store))])
    assert.ok(!text.includes(api_key))
})

test('PUT /admin/remote/settings requires the API key for a first connection and for another host', async (t) => {
  const { token, key, browse } = await setUp(t)
  const elsewhere = await buildTill()

  const sameHost = await save(token, { base_url: `${till.url}/`, requests_per_second: 100 })
  const otherHost = await save(token, { base_url: elsewhere.url })
  const { token: newcomer } = await buildStaff(await buildStore(), { role: 'owner' })
  const first = await save(newcomer, { base_url: till.url })

  assert.equal(sameHost.status, 200)
  assert.partialDeepStrictEqual(otherHost, { status: 422, error_code: 'remote.api_key_required' })
  assert.partialDeepStrictEqual(first, { status: 422, error_code: 'remote.api_key_required' })
  assert.equal((await browse()).status, 200)
  assert.equal(till.reads(key).length, 1)
})

test('PUT /admin/remote/settings checks If-Match; a null base_url disconnects and keeps the links', async (t) => {
  const { store, token, link, browse } = await setUp(t)
  await link('A-1', (await buildProduct(store)).id)
  const { headers } = await request('GET /admin/remote/settings', { token })
  const tag = { 'If-Match': headers.get('etag') ?? '' }

  const changed = await save(token, { base_url: till.url, burst: 2 }, tag)
  const late = await save(token, { base_url: till.url, burst: 4 }, tag)
  const disconnected = await save(token, { base_url: null })

  assert.deepEqual(
    { changedStatus: changed.status, lateStatus: late.status, error_code: late.error_code },
    { changedStatus: 200, lateStatus: 412, error_code: 'resource.changed' },
  )
  assert.deepEqual(
    {
      status: disconnected.status,
      base_url: disconnected.data.base_url,
      has_api_key: disconnected.data.has_api_key,
    },
    { status: 200, base_url: '', has_api_key: false },
  )
  assert.equal((await browse()).error_code, 'remote.not_configured')
  assert.equal((await request('GET /admin/remote/links', { token })).meta.total, 1)
})

const REFUSED_URLS: Record<string, string> = {
  'http://till.example.com': 'remote.url_https_required',
  'ftp://till.example.com': 'remote.url_https_required',
  'https://10.0.0.1/api': 'remote.url_not_public',
  'https://0xa.1': 'remote.url_not_public',
  'https://169.254.169.254/latest': 'remote.url_not_public',
  'https://[::ffff:10.0.0.1]': 'remote.url_not_public',
  'https://[64:ff9b::a00:1]': 'remote.url_not_public',
  'https://metadata.internal': 'remote.url_not_public',
  'https://till': 'remote.url_not_public',
  'https://user:pass@till.example.com': 'remote.url_invalid',
  'https://till.example.com:22': 'remote.url_invalid',
  'http://127.0.0.1:1?key=1': 'remote.url_invalid',
  'http://127.0.0.1:1#top': 'remote.url_invalid',
  'till.example.com': 'remote.url_invalid',
}
for (const [base_url, code] of Object.entries(REFUSED_URLS))
  test(`PUT /admin/remote/settings with ${base_url} returns 422 ${code}`, async () => {
    const { token } = await buildStaff(await buildStore(), { role: 'owner' })

    const { status, error_code } = await save(token, { base_url, api_key: buildTillKey() })

    assert.deepEqual({ status, error_code }, { status: 422, error_code: code })
  })

test('PUT /admin/remote/settings returns 422 for values out of range and for an API key invalid as a header', async () => {
  const { token } = await buildStaff(await buildStore(), { role: 'owner' })
  const valid = { base_url: till.url, api_key: buildTillKey() }

  for (const bad of [
    { requests_per_second: 0 },
    { requests_per_second: 101 },
    { burst: 0 },
    { burst: 1.5 },
    { till_reserve_percent: 91 },
    { api_key: 'a\r\nb: c' },
    { api_key: 'ключ' },
    { api_key: null },
    { unknown: 1 },
  ])
    assert.equal((await save(token, { ...valid, ...bad })).status, 422, JSON.stringify(bad))
})

test('an expired request is not sent to the external system', async (t) => {
  const { store, key } = await setUp(t)
  const expired = { page: 1, page_size: 50 }
  const read = await inStore(store.id, (tx) =>
    RemoteRead.in(tx).insert({ requestHash: Buffer.from('any'), expiresAt: inMs(-1) }),
  )
  const payload = { storeId: store.id, readId: read.id, request: expired }

  await readRemoteCatalog.run(payload, { jobId: newId(), retry: 1, signal: new AbortController().signal })

  assert.equal(till.reads(key).length, 0)
})
