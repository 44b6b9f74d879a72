import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { awaitReply, countPendingReplies, sendReply } from '#shared/platform/notify/reply-channel.ts'
import { inMs } from '#shared/platform/time/clock.ts'
import { RemoteRead } from '#shared/remote-catalog/remote-read.ts'
import { buildTill, buildTillKey, connectTill } from '#test/support/builders/remote.ts'
import { buildRemoteScene } from '#test/support/builders/remote-scene.ts'
import { request } from '#test/support/processes/app.ts'
import { runWorkerDuringTests } from '#test/support/processes/worker.ts'
import { readRemoteCatalog } from '#workers/remote-catalog/read-remote-catalog.ts'

const till = await buildTill()
runWorkerDuringTests([readRemoteCatalog])

test('GET /admin/remote/catalog sends one till request for concurrent equal requests, and another one later', async (t) => {
  const { token, key } = await buildRemoteScene(t, till)
  const other = await buildRemoteScene(t, till)
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

test('a remote response for 125 waiting requests is parsed once', async (t) => {
  const { token } = await buildRemoteScene(t, till)
  till.behave({ mode: 'hang' })
  const callers = Array.from({ length: 125 }, () => request('GET /admin/remote/catalog?page=1', { token }))
  await till.untilHeld(1)
  await untilJoined(callers.length)
  const parse = t.mock.method(JSON, 'parse')
  till.behave({ mode: 'normal' })
  till.release()

  const answers = await Promise.all(callers)

  const replies = parse.mock.calls.filter(({ arguments: [text] }) =>
    String(text).startsWith('{"page":{"items"'),
  )
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal(replies.length, 1)
})

test('GET /admin/remote/catalog returns 429 immediately when the throttle would exceed the deadline', async (t) => {
  const { token, key } = await buildRemoteScene(t, till, { requestsPerSecond: 0.1, burst: 1 })
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

test('GET /admin/remote/catalog returns 429 immediately when 125 requests of the store wait, and another store reads', async (t) => {
  const { token } = await buildRemoteScene(t, till)
  const other = await buildRemoteScene(t, till)
  till.behave({ mode: 'hang' })
  const browse = () => request('GET /admin/remote/catalog?page=1', { token })

  const waiting = Array.from({ length: 125 }, browse)
  await till.untilHeld(1)
  await untilJoined(125)
  const crowded = await browse()
  till.behave({ mode: 'normal' })
  const elsewhere = await other.browse()
  till.release()
  const answers = await Promise.all(waiting)

  assert.partialDeepStrictEqual(crowded, { status: 429, error_code: 'remote.rate_limited' })
  assert.equal(elsewhere.status, 200)
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal((await browse()).status, 200)
})

test('while 500 requests of other stores wait, 20 requests of a store are read and the next one returns 429', async (t) => {
  const { store, browse } = await buildRemoteScene(t, till)
  const id = newId()
  const others = Array.from({ length: 500 }, () => awaitReply(id, 60_000).reply)
  till.behave({ mode: 'hang' })

  const waiting = Array.from({ length: 20 }, browse)
  await till.untilHeld(1)
  await untilJoined(500 + 20)
  const crowded = await browse()
  till.behave({ mode: 'normal' })
  till.release()

  for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
  assert.partialDeepStrictEqual(crowded, { status: 429, error_code: 'remote.rate_limited' })
  await inStore(store.id, (tx) => sendReply(tx, id, 'ended'))
  await Promise.all(others)
})

test('GET /admin/remote/catalog returns 429 immediately when 1,000 requests wait in the process', async (t) => {
  const { browse, key } = await buildRemoteScene(t, till)
  const others = Array.from({ length: 1_000 }, () => awaitReply(newId(), 500).reply)

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
  const [one, other] = [await buildRemoteScene(t, till), await buildRemoteScene(t, till)]
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

test("POST /admin/remote/catalog/{id}/import returns the till's 429 and creates no product", async (t) => {
  const strict = await buildTill({ perSecond: 1, burst: 1, banMs: 40_000 })
  const { importItem, store, token } = await buildRemoteScene(t, till)
  const key = await connectTill(store, strict)
  // The physical till uses the key up.
  await fetch(`${strict.url}/items`, { headers: { 'X-Api-Key': key } })

  const { status, error_code, headers } = await importItem('item-00002')

  assert.deepEqual(
    { status, error_code, retryAfter: headers.get('retry-after') },
    { status: 429, error_code: 'remote.rate_limited', retryAfter: '40' },
  )
  assert.equal((await request('GET /admin/products', { token })).meta.total, 0)
})

test('an expired request is not sent to the external system', async (t) => {
  const { store, key } = await buildRemoteScene(t, till)
  const expired = { page: 1, page_size: 50 }
  const read = await inStore(store.id, (tx) =>
    RemoteRead.in(tx).insert({ requestHash: Buffer.from('any'), expiresAt: inMs(-1) }),
  )
  const payload = { storeId: store.id, readId: read.id, request: expired }

  await readRemoteCatalog.run(payload, { jobId: newId(), retry: 1, signal: new AbortController().signal })

  assert.equal(till.reads(key).length, 0)
})
