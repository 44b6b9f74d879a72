import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTill } from '#test/support/builders/remote.ts'
import { buildRemoteScene } from '#test/support/builders/remote-scene.ts'
import { rowsOf } from '#test/support/measure/rows-of.ts'
import { rawRequest, request } from '#test/support/processes/app.ts'
import { runWorkerDuringTests } from '#test/support/processes/worker.ts'
import { readRemoteCatalog } from '#workers/remote-catalog/read-remote-catalog.ts'

const till = await buildTill()
runWorkerDuringTests([readRemoteCatalog])

test('POST /admin/remote/catalog/{id}/import creates an unpublished product and links it to the item', async (t) => {
  const { store, importItem, browse, token } = await buildRemoteScene(t, till)

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
  const { importItem, token } = await buildRemoteScene(t, till)

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
  const { importItem, token } = await buildRemoteScene(t, till)

  assert.equal((await importItem('item-00015')).data.price, 12.5)
  assert.equal((await importItem('item-00007')).data.price, 7.5)
  for (const id of ['item-00012', 'item-00013', 'item-00014']) {
    const { status, error_code } = await importItem(id)
    assert.deepEqual({ status, error_code }, { status: 422, error_code: 'remote.item_not_importable' }, id)
  }
  assert.equal((await request('GET /admin/products', { token })).meta.total, 2)
})

test('POST /admin/remote/catalog/{id}/import accepts items with missing fields or special characters in the id', async (t) => {
  const { importItem } = await buildRemoteScene(t, till)

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
  const { importItem, token, key } = await buildRemoteScene(t, till)
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
