import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { CACHE_CONTROL } from '#shared/images/files.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { BUCKET, startBucket } from '#test/sandbox/bucket.ts'
import { openImageStorage } from '#workers/gateways/images/open-image-storage.ts'

const bucket = await startBucket()
after(() => bucket.stop())

const ENVIRONMENT = {
  S3_ENDPOINT: `${bucket.endpoint}/`,
  S3_BUCKET: BUCKET.name,
  S3_REGION: BUCKET.region,
  S3_ACCESS_KEY_ID: BUCKET.accessKeyId,
  S3_SECRET_ACCESS_KEY: BUCKET.secretAccessKey,
  IMAGES_URL: 'https://images.example',
}

function setEnvironment(given: Record<string, string>): void {
  Object.assign(process.env, given)
  resetConfig()
}

beforeEach(() => setEnvironment(ENVIRONMENT))
afterEach(() => {
  for (const name of Object.keys(ENVIRONMENT)) delete process.env[name]
  resetConfig()
  bucket.objects.clear()
})

const KEY = `${'n'.repeat(32)}/200.webp`
const { signal } = new AbortController()

test('a file is put with its type and immutable caching, and removed', async () => {
  const storage = openImageStorage()

  await storage.put(KEY, Buffer.from('bytes'), signal)

  assert.deepEqual(Object.fromEntries(bucket.objects), {
    [KEY]: { bytes: Buffer.from('bytes'), contentType: 'image/webp', cacheControl: CACHE_CONTROL },
  })
  await storage.remove([KEY], signal)
  assert.equal(bucket.objects.size, 0)
})

test('a file that does not exist is removed without an error', async () => {
  await openImageStorage().remove([KEY, KEY], signal)
  bucket.failNext(404)
  await openImageStorage().remove([KEY], signal)
})

test('files are removed 16 at a time', async (t) => {
  const waiting: ServerResponse[] = []
  const sent: string[] = []
  let most = 0
  // It answers once 16 requests wait.
  const server = createServer(({ url = '' }, response) => {
    sent.push(url)
    most = Math.max(most, waiting.push(response))
    if (waiting.length >= 16) for (const one of waiting.splice(0)) one.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  setEnvironment({ S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const keys = Array.from({ length: 48 }, (_, n) => `${n}/200.webp`)

  await openImageStorage().remove(keys, AbortSignal.timeout(20_000))

  assert.equal(most, 16)
  assert.deepEqual(sent.sort(), keys.map((key) => `/${BUCKET.name}/${key}`).sort())
})

test('a failed removal fails the whole removal', async () => {
  bucket.failNext(404, 500)

  await assert.rejects(openImageStorage().remove([KEY, KEY, KEY], signal), /500/)
})

test('a repeated put replaces the file', async () => {
  for (const text of ['one', 'two']) await openImageStorage().put(KEY, Buffer.from(text), signal)

  assert.equal(bucket.objects.get(KEY)?.bytes.toString(), 'two')
})

for (const status of [403, 500, 503])
  test(`an answer with ${status} throws, so that the job is retried`, async () => {
    bucket.failNext(status)

    await assert.rejects(openImageStorage().put(KEY, Buffer.from('bytes'), signal), new RegExp(`${status}`))
    assert.equal(bucket.objects.size, 0)
  })

const WRONG: Record<string, Record<string, string>> = {
  secret: { S3_SECRET_ACCESS_KEY: 'another' },
  key: { S3_ACCESS_KEY_ID: 'another' },
  region: { S3_REGION: 'another' },
}

for (const [name, wrong] of Object.entries(WRONG))
  test(`a request signed with another ${name} is refused`, async () => {
    setEnvironment(wrong)

    await assert.rejects(openImageStorage().put(KEY, Buffer.from('bytes'), signal), /403/)
    assert.equal(bucket.objects.size, 0)
  })

test('control: the bucket refuses an unsigned request', async () => {
  const { status } = await fetch(`${bucket.endpoint}/${BUCKET.name}/${KEY}`, { method: 'PUT', body: 'x' })

  assert.equal(status, 403)
})

test('an aborted job ends the request', async () => {
  await assert.rejects(openImageStorage().put(KEY, Buffer.from('bytes'), AbortSignal.abort()), {
    name: 'AbortError',
  })
})

test('a bucket whose variables are incomplete stops the process at its start', () => {
  delete process.env.S3_SECRET_ACCESS_KEY
  resetConfig()

  assert.throws(() => openImageStorage(), /S3_SECRET_ACCESS_KEY: must be set/)
})
