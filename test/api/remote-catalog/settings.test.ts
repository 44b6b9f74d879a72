import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildTill, buildTillKey } from '#test/support/builders/remote.ts'
import { buildRemoteScene } from '#test/support/builders/remote-scene.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { rowsOf } from '#test/support/measure/rows-of.ts'
import { request } from '#test/support/processes/app.ts'
import { runWorkerDuringTests } from '#test/support/processes/worker.ts'
import { readRemoteCatalog } from '#workers/remote-catalog/read-remote-catalog.ts'

const till = await buildTill()
runWorkerDuringTests([readRemoteCatalog])

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
    created_by: null,
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
  const { token, key, browse } = await buildRemoteScene(t, till)
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
  const { store, token, link, browse } = await buildRemoteScene(t, till)
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
