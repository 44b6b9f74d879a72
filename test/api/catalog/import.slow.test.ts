import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import '#test/support/database.ts'
import { readHeader } from '#shared/catalog/import/read-header.ts'
import { discardUnfinishedUpload } from '#shared/imports/jobs.ts'
import { discardUpload, receiveUpload } from '#shared/imports/receive-upload.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { pendingPayloads } from '#shared/platform/jobs/pending-jobs.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import {
  catalogOf,
  countRows,
  csv,
  importCsv,
  readJob,
  uploadCsv,
  uploadCustomers,
} from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { baseUrl, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { until } from '#test/support/races/until.ts'
import { assertDescribed, readDescribed } from '#test/support/requests/described.ts'

const MB = 1024 * 1024
const address = `${baseUrl}/api/v1/admin/products/import`
const cup = csv('Handle,Title,Variant Price', 'cup,Cup,9.50')

async function storeWithStaff(role = 'catalog') {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role })
  return { store, token }
}

/** Sends a body of any kind, which `request` would not. */
const upload = async (
  token: string,
  body: string | Buffer | ReadableStream,
  headers: Record<string, string> = {},
) => {
  const response = await fetch(address, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv', ...headers },
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit)
  return {
    status: response.status,
    json: await readDescribed('POST', '/admin/products/import', response),
  }
}

test('an upload returns 202 with a queued job', async () => {
  const { token } = await storeWithStaff()

  const { status, data } = await uploadCsv(token, cup)

  assert.equal(status, 202)
  assert.partialDeepStrictEqual(data, { kind: 'products', status: 'queued', progress: 0, dry_run: false })
  assert.equal(data.bytes_total, Buffer.byteLength(cup))
  assert.equal((await readJob(token, data.id)).status, 'queued')
})

test('a file with a byte order mark, a charset and CRLF line ends is accepted', async () => {
  const { store, token } = await storeWithStaff()

  const { status } = await upload(token, `\ufeff${cup.replaceAll('\n', '\r\n')}`, {
    'Content-Type': 'text/csv; charset=utf-8',
  })

  assert.equal(status, 202)
  await drainJobs()
  assert.deepEqual([...(await catalogOf(store)).keys()], ['cup'])
})

test('an empty file returns 422 import.empty', async () => {
  const { token } = await storeWithStaff()

  assert.equal((await uploadCsv(token, '')).error_code, 'import.empty')
})

test('another content type returns 415', async () => {
  const { token } = await storeWithStaff()

  const { status, json } = await upload(token, '{}', { 'Content-Type': 'application/json' })

  assert.equal(status, 415)
  assert.equal(json.error_code, 'request.unsupported_media_type')
})

test('an unknown parameter or an invalid dry_run returns 422', async () => {
  const { token } = await storeWithStaff()
  const send = (query: string) =>
    request(`POST /admin/products/import?${query}`, {
      token,
      headers: { 'Content-Type': 'text/csv' },
      body: cup,
    })

  assert.equal((await send('dry_run=maybe')).status, 422)
  assert.equal((await send('dryrun=true')).status, 422)
})

for (const path of ['/admin/products/import', '/admin/customers/import'])
  test(`POST ${path}: a Content-Length above 50 MB returns 413 before the body is read`, async () => {
    const { store, token } = await storeWithStaff('owner')
    const sending = httpRequest(`${baseUrl}/api/v1${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'text/csv',
        'Content-Length': 50 * MB + 1,
      },
    })
    sending.flushHeaders()

    const [response] = await once(sending, 'response')
    const answer = await json(response)

    assertDescribed('POST', path, response.statusCode, answer as Parameters<typeof assertDescribed>[3])
    assert.equal(response.statusCode, 413)
    assert.partialDeepStrictEqual(answer, { error_code: 'request.too_large' })
    assert.equal(await countRows(store, 'import_jobs'), 0)
    sending.destroy()
  })

test('a chunked body above 50 MB returns 413, and its chunks are deleted', async () => {
  const { store, token } = await storeWithStaff()
  const piece = Buffer.from(cup.padEnd(MB, 'a'))
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      if (sent++ < 52) controller.enqueue(piece)
      else controller.close()
    },
  })

  const { status, json } = await upload(token, endless)

  assert.equal(status, 413)
  assert.equal(json.error_code, 'request.too_large')
  assert.equal(await countRows(store, 'import_jobs'), 0)
  assert.equal(await countRows(store, 'import_chunks'), 0)
})

/** Begins an upload and sends half a megabyte of it; answers once that is stored. */
async function beginUpload(storeId: string, token: string) {
  const sending = httpRequest(address, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
  })
  sending.on('error', () => {})
  sending.write(`Handle,Title,Variant Price,Body (HTML)\ncup,Cup,9.50,${'x'.repeat(MB / 2)}`)
  await until('two chunks are stored', async () => (await countRows({ id: storeId }, 'import_chunks')) === 2)
  return sending
}

test('a slow upload holds no transaction open', async () => {
  const { store, token } = await storeWithStaff()

  const sending = await beginUpload(store.id, token)

  const { rows } = await db().raw(
    `select state from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  )
  assert.deepEqual(rows, [])
  sending.end('\n')
  const [response] = await once(sending, 'response')
  assert.equal(response.statusCode, 202)
  response.resume()
})

test('an aborted upload is deleted', async () => {
  const { store, token } = await storeWithStaff()
  const sending = await beginUpload(store.id, token)

  sending.destroy()

  await until('the upload is gone', async () => (await countRows(store, 'import_jobs')) === 0)
  assert.equal(await countRows(store, 'import_chunks'), 0)
})

test('an upload whose process crashed is deleted an hour later', async () => {
  const store = await buildStore()
  const { id: createdBy } = await buildStaff(store, { role: 'catalog' })
  const upload = {
    kind: 'products',
    dryRun: false,
    createdBy,
    settings: { mapping: null },
  } as const
  const bytes = Readable.from([Buffer.from(cup)])
  const { jobId } = await receiveUpload(store.id, upload, bytes, (cells) => readHeader(cells, null))

  moveClock(HOUR_MS + 1_000)
  await drainJobs()

  assert.equal(await countRows(store, 'import_jobs', { id: jobId }), 0)
  assert.equal(await countRows(store, 'import_chunks'), 0)
})

test('ten of 13 concurrent uploads are accepted; the others return 409 until an import has ended', async () => {
  const { token } = await storeWithStaff()
  const upload = () => uploadCsv(token, csv('Handle,Title,Variant Price', 'a,A,1'))

  const answers = await Promise.all(Array.from({ length: 13 }, upload))

  const refused = answers.filter(({ status }) => status === 409)
  assert.deepEqual(
    { kept: answers.filter(({ status }) => status === 202).length, refused: refused.length },
    { kept: 10, refused: 3 },
  )
  for (const { error_code } of refused) assert.equal(error_code, 'import.limit_reached')
  await drainJobs()
  assert.equal((await upload()).status, 202)
})

test('unfinished imports of products and customers count together', async () => {
  const { store, token } = await storeWithStaff('owner')
  const customers = () => uploadCustomers(token, csv('email', 'ada@example.test'))
  for (let i = 0; i < 9; i++) await uploadCsv(token, cup)

  const tenth = await customers()
  const refused = await customers()

  assert.equal(tenth.status, 202)
  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'import.limit_reached' })
  assert.equal(await countRows(store, 'import_jobs'), 10)
})

test('a queued import is not discarded, and no job to discard it is left', async () => {
  const { store, token } = await storeWithStaff()
  const { data } = await uploadCsv(token, cup)
  const left = await pendingPayloads(discardUnfinishedUpload, store.id)

  // A job that began before the import was queued.
  await inStore(store.id, (tx) => discardUpload(tx, data.id))

  assert.deepEqual(left, [])
  assert.equal(await countRows(store, 'import_jobs', { status: 'queued' }), 1)
})

test('an Idempotency-Key is ignored: every upload is read, also one of equal length', async () => {
  const { store, token } = await storeWithStaff()
  const other = cup.replaceAll('cup', 'mug')

  const first = await upload(token, cup, { 'Idempotency-Key': 'cups-1' })
  const second = await upload(token, other, { 'Idempotency-Key': 'cups-1' })
  await drainJobs()

  assert.notEqual(first.json.data.id, second.json.data.id)
  assert.equal(await countRows(store, 'products'), 2)
})

test('an import needs catalog:write, reading a job catalog:read', async () => {
  const { store, token } = await storeWithStaff()
  const reader = await buildStaff(store, { role: 'analyst' })
  const accountant = await buildStaff(store, { role: 'accounting' })
  const { data } = await uploadCsv(token, cup)

  assert.equal((await uploadCsv(reader.token, cup)).error_code, 'auth.forbidden')
  assert.equal((await request(`GET /admin/catalog-jobs/${data.id}`, { token: reader.token })).status, 200)
  assert.equal((await request(`GET /admin/catalog-jobs/${data.id}`, { token: accountant.token })).status, 403)
})

test("another store's job returns 404", async () => {
  const { token } = await storeWithStaff()
  const other = await storeWithStaff()
  const { data } = await uploadCsv(other.token, cup)

  const { status, error_code } = await request(`GET /admin/catalog-jobs/${data.id}`, { token })

  assert.equal(status, 404)
  assert.equal(error_code, 'resource.not_found')
})

test('the errors of a job are paged', async () => {
  const { store, token } = await storeWithStaff()
  const rows = Array.from({ length: 5 }, (_, i) => `cup-${i},Cup,free`)
  const { id } = await importCsv(store, token, csv('Handle,Title,Variant Price', ...rows))

  const { data, meta } = await request(`GET /admin/catalog-jobs/${id}?page=2&page_size=2`, { token })

  assert.deepEqual(
    data.errors.map(({ line }: { line: number }) => line),
    [4, 5],
  )
  assert.deepEqual(meta, { page: 2, page_size: 2, total: 5, total_pages: 3 })
})

test('the imports of a store are listed, the latest first', async () => {
  const { store, token } = await storeWithStaff()
  const { id } = await importCsv(store, token, cup)
  const { data: queued } = await uploadCsv(token, cup)

  const { data } = await request('GET /admin/catalog-jobs', { token })
  const succeeded = await request('GET /admin/catalog-jobs?status=succeeded', { token })

  assert.deepEqual(
    data.map((job: { id: string }) => job.id),
    [queued.id, id],
  )
  assert.deepEqual(
    succeeded.data.map((job: { id: string }) => job.id),
    [id],
  )
})
