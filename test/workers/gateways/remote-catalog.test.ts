import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTill } from '#test/sandbox/till.ts'
import { createRemoteCatalogGateway, RemoteRateLimited } from '#workers/gateways/remote-catalog.ts'
import { readItem, readPage } from '#workers/gateways/remote-format.ts'

const never = new AbortController().signal
const question = { page: 1, page_size: 50 }
const apiKey = 'key-that-nobody-sees'

const till = await startTill({ size: 60, perSecond: 1_000, burst: 1_000 })
after(() => till.stop())

const NOT_PUBLIC = [
  ['127.0.0.1'],
  ['10.0.0.1'],
  ['169.254.169.254'],
  ['::1'],
  ['::ffff:10.0.0.1'],
  ['64:ff9b::a00:1'],
  ['93.184.216.34', '192.168.0.1'],
]
for (const addresses of NOT_PUBLIC)
  test(`a public name that resolves to ${addresses} is not read`, async () => {
    const gateway = createRemoteCatalogGateway({ allowLocal: false, resolve: async () => addresses })

    const read = gateway.page({ baseUrl: 'https://rebound.example.com', apiKey }, question, never)

    await assert.rejects(read, { message: 'its host is not public' })
    await gateway.close()
  })

test('the development switch allows neither names that resolve to loopback nor private addresses', async () => {
  const gateway = createRemoteCatalogGateway({ allowLocal: true, resolve: async () => ['127.0.0.1'] })

  for (const baseUrl of ['https://rebound.example.com', 'https://10.0.0.1', 'http://169.254.169.254'])
    await assert.rejects(gateway.page({ baseUrl, apiKey }, question, never), {
      message: 'its host is not public',
    })
  await gateway.close()
})

test('an IP literal is checked, although it is not resolved', async () => {
  const gateway = createRemoteCatalogGateway({ allowLocal: false })

  for (const baseUrl of [till.url, till.url.replace('http', 'https'), 'https://0x7f.1'])
    await assert.rejects(gateway.page({ baseUrl, apiKey }, question, never), {
      message: 'its host is not public',
    })
  assert.deepEqual(till.reads(), [])
  await gateway.close()
})

test('a system that times out is given up, and no error contains its address or key', async (t) => {
  const gateway = createRemoteCatalogGateway({ allowLocal: true })
  t.after(() => till.behave({ mode: 'normal' }))
  till.behave({ mode: 'hang' })

  const read = gateway.page({ baseUrl: till.url, apiKey }, question, AbortSignal.timeout(50))

  await assert.rejects(read, (error: Error) => {
    assert.equal(error.message, 'it does not respond in time')
    assert.ok(
      ![till.url, apiKey].some((secret) => `${error.stack} ${JSON.stringify(error)}`.includes(secret)),
    )
    return true
  })
  await gateway.close()
})

test('an item is requested by its exact id, and the requested pause is returned', async () => {
  const gateway = createRemoteCatalogGateway({ allowLocal: true })
  const system = { baseUrl: till.url, apiKey }

  assert.equal((await gateway.item(system, '19/ö ?&=#', never))?.id, '19/ö ?&=#')
  assert.equal(await gateway.item(system, 'none', never), null)
  till.allow({ perSecond: 1, burst: 0, banMs: 6_500 })
  await assert.rejects(gateway.item(system, 'none', never), (error: RemoteRateLimited) => {
    assert.ok(error instanceof RemoteRateLimited)
    assert.equal(error.waitMs, 7_000)
    return true
  })
  await gateway.close()
})

test('numbers keep their original text', () => {
  const item = readItem(
    '{"id":12345678901234567890,"price":12.50,"vat_percent":1e1,"barcode":0,"is_active":1}',
  )

  assert.partialDeepStrictEqual(item, {
    id: '12345678901234567890',
    price: '12.50',
    vat_percent: '1e1',
    barcode: '0',
    is_active: true,
  })
})

test('a value of the wrong type is empty', () => {
  const item = readItem(
    '{"id":"a","name":null,"sku":["x"],"price":{"amount":1},"unit":"\\ud83d","update_date":{}}',
  )

  assert.partialDeepStrictEqual(item, {
    name: '',
    sku: '',
    price: '',
    unit: '\ufffd',
    update_date: null,
  })
})

const NO_PAGES = [
  '',
  'null',
  '[]',
  '{"items":[]}',
  '{"items":[],"total":-1}',
  '{"items":[],"total":1.5}',
  '{"items":null,"total":0}',
  '{"items":[1],"total":1}',
  '{"items":[{"name":"no id"}],"total":1}',
  '{"items":[{"id":""}],"total":1}',
  '{"items":[{"id":"a\\u0000b"}],"total":1}',
  `{"items":[{"id":"${'x'.repeat(201)}"}],"total":1}`,
  '{"items":[{"id":"1"},{"id":"2"},{"id":"3"}],"total":3}',
]
for (const json of NO_PAGES)
  test(`${json.slice(0, 60) || 'nothing'} is not a page of two items`, () => {
    assert.equal(readPage(json, 2), null)
  })
