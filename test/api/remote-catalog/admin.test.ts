import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TILL_MODES } from '#test/sandbox/till/behaviour.ts'
import { startTill } from '#test/sandbox/till.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildTill, connectTill } from '#test/support/builders/remote.ts'
import { buildRemoteScene, FIELDS, typeOf } from '#test/support/builders/remote-scene.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { rowsOf } from '#test/support/measure/rows-of.ts'
import { request } from '#test/support/processes/app.ts'
import { runWorkerDuringTests } from '#test/support/processes/worker.ts'
import { readRemoteCatalog } from '#workers/remote-catalog/read-remote-catalog.ts'

const till = await buildTill()
runWorkerDuringTests([readRemoteCatalog])

test('GET /admin/remote/catalog returns a page of items with the eighteen documented fields', async (t) => {
  const { browse } = await buildRemoteScene(t, till)

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
  const { browse } = await buildRemoteScene(t, till)
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
  const { browse, key, token } = await buildRemoteScene(t, till)

  const found = await browse('q=TILL-0004&is_active=false&updated_since=2026-01-01T00:00:00Z&page_size=1')
  const listing = await browse('category_id=cat-3&page=2&page_size=7')

  assert.deepEqual(
    found.data.items.map(({ sku }: { sku: string }) => sku),
    ['TILL-00040'],
  )
  assert.equal(found.data.page_size, 1)
  assert.deepEqual(
    { page: listing.data.page, itemsCount: listing.data.items.length },
    { page: 2, itemsCount: 7 },
  )
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
  const { store, browse, link, token } = await buildRemoteScene(t, till)
  const other = await buildRemoteScene(t, till)
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
  const { token, browse, importItem } = await buildRemoteScene(t, till)
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
  const { token } = await buildRemoteScene(t, till)
  await request('GET /admin/remote/catalog?page_size=2', { token })

  const one = await countStatements(() => request('GET /admin/remote/catalog?page_size=1', { token }))
  const many = await countStatements(() => request('GET /admin/remote/catalog?page_size=200', { token }))

  // The worker in this process polls for jobs at the same time.
  assert.ok(many <= one + 10, `${one} statements for one, ${many} for 200`)
})

test('GET /admin/remote/catalog stores no catalog data in the database', async (t) => {
  const { store, browse, key } = await buildRemoteScene(t, till)

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
    const { browse, key } = await buildRemoteScene(t, till)
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
  const { browse, store } = await buildRemoteScene(t, till)
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

test('POST /admin/remote/catalog/{id}/import returns 502 for a failing till and creates no product', async (t) => {
  const { importItem, token } = await buildRemoteScene(t, till)
  till.behave({ mode: 'error' })

  const { status, error_code } = await importItem('item-00002')

  assert.deepEqual({ status, error_code }, { status: 502, error_code: 'remote.unavailable' })
  assert.equal((await request('GET /admin/products', { token })).meta.total, 0)
})
