import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, type TestContext, test } from 'node:test'
import { measureJson } from '#shared/platform/http/measure-json.ts'
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

const HOSTILE: Record<string, { body: string; why: string }> = {
  'a list of 200,000 numbers': {
    body: `{"items":[${'1,'.repeat(200_000)}1]}`,
    why: 'more than 20000 values',
  },
  'a list of 150,000 objects': {
    body: `{"items":[${'{},'.repeat(150_000)}{}]}`,
    why: 'more than 20000 values',
  },
  '500,000 levels': { body: '['.repeat(500_000), why: 'more than 16 levels' },
}
for (const [what, { body, why }] of Object.entries(HOSTILE))
  test(`a response with ${what} is refused before it is parsed`, async (t) => {
    const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const gateway = createRemoteCatalogGateway({ allowLocal: true })
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()

    const read = gateway.page({ baseUrl, apiKey }, question, never)

    await assert.rejects(read, (error: Error) => error.message.includes(why))
    assert.ok(delay.max < 200 * 1e6, `the loop was blocked for ${delay.max / 1e6} ms`)
    await gateway.close()
  })

const LIMIT_BYTES = 512 * 1024
/** The channel on which the HTTP client reports a piece of a body. */
const CLIENT_RECEIVED = 'undici:request:bodyChunkReceived'
const CHUNK = `"${'x'.repeat(16 * 1024 - 2)}"`

/** Starts a server that responds so, and a gateway whose read of it records the counted bytes and the sent bytes. */
async function startCountedRead(t: TestContext, respond: (response: ServerResponse, sent: Sent) => void) {
  const sent: Sent = { bytes: 0 }
  const server = createServer((_, response) => respond(response, sent)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const gateway = createRemoteCatalogGateway({ allowLocal: true })
  t.after(async () => {
    server.close()
    server.closeAllConnections()
    await gateway.close()
  })
  const countBytes = t.mock.fn(async (_: number) => {})
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const read = (signal = AbortSignal.timeout(5_000), count: (bytes: number) => Promise<void> = countBytes) =>
    gateway.page({ baseUrl, apiKey, consumeBytes: count }, question, signal)
  return { sent, read, counted: () => countBytes.mock.calls.map(({ arguments: [bytes] }) => bytes) }
}

interface Sent {
  bytes: number
}

/** Sends chunks as fast as the client reads them, until it closes the connection. */
function sendWithoutEnd(response: ServerResponse, sent: Sent): void {
  const send = () => {
    do sent.bytes += CHUNK.length
    while (response.write(CHUNK))
  }
  response.on('drain', send)
  send()
}

const REFUSED: Record<string, { body: string; why: string }> = {
  'too many values': { body: `[${'1,'.repeat(30_000)}1]`, why: 'more than 20000 values' },
  'too many levels': { body: '['.repeat(40), why: 'more than 16 levels' },
  'too many names': {
    body: `{${Array.from({ length: 6_000 }, (_, n) => `"${n}":1`).join()}}`,
    why: 'more than 5000 names',
  },
}
for (const [what, { body, why }] of Object.entries(REFUSED))
  test(`the bytes of a response with ${what} count`, async (t) => {
    const { read, counted } = await startCountedRead(t, (response) => response.end(body))

    await assert.rejects(read(), { message: `its response has ${why}` })

    assert.deepEqual(counted(), [body.length])
  })

test('a response of tiny chunks counts', async (t) => {
  const chunks = '1\r\n1\r\n'.repeat(5_000)
  const { read, counted } = await startCountedRead(t, ({ socket }) =>
    socket?.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`),
  )

  await assert.rejects(read(), { message: 'its response has too many small chunks' })

  const [bytes = 0] = counted()
  assert.ok(bytes >= 1_000, `${bytes} bytes`)
})

test('a response without an end is read up to the limit, counts, and its connection closes', async (t) => {
  const closed = Promise.withResolvers<void>()
  const { read, sent, counted } = await startCountedRead(t, (response, sent) => {
    response.on('close', closed.resolve)
    sendWithoutEnd(response, sent)
  })

  await assert.rejects(read(), { message: `its response has more than ${LIMIT_BYTES} bytes` })

  await closed.promise
  const [bytes = 0] = counted()
  assert.equal(counted().length, 1)
  assert.ok(bytes > LIMIT_BYTES && bytes <= sent.bytes, `${bytes} of ${sent.bytes} bytes`)
})

test('an announced length above the limit is refused before the body', async (t) => {
  const closed = Promise.withResolvers<void>()
  const { read, counted } = await startCountedRead(t, (response) => {
    response.on('close', closed.resolve)
    response.writeHead(200, { 'content-length': LIMIT_BYTES + 1 }).flushHeaders()
  })

  await assert.rejects(read(), { message: `its response has more than ${LIMIT_BYTES} bytes` })

  await closed.promise
  assert.deepEqual(counted(), [0])
})

test('the bytes before a reset count', async (t) => {
  const { read, counted } = await startCountedRead(t, (response) => {
    response.write(CHUNK, () => setImmediate(() => response.destroy()))
  })

  await assert.rejects(read(), { message: 'it cannot be reached' })

  assert.deepEqual(counted(), [CHUNK.length])
})

test('the bytes before the deadline count', async (t) => {
  const deadline = new AbortController()
  const { read, counted } = await startCountedRead(t, (response) => {
    response.write(CHUNK)
  })
  let received = 0
  const receive = (message: unknown) => {
    received += (message as { chunk: Buffer }).chunk.length
    if (received === CHUNK.length) setImmediate(() => deadline.abort())
  }
  subscribe(CLIENT_RECEIVED, receive)
  t.after(() => unsubscribe(CLIENT_RECEIVED, receive))

  await assert.rejects(read(deadline.signal), { message: 'it does not respond in time' })

  assert.deepEqual(counted(), [CHUNK.length])
})

test('a refused response past the limit of the minute is rate limited', async (t) => {
  const { read } = await startCountedRead(t, (response) => response.end('['.repeat(40)))
  const limited = new RemoteRateLimited(60_000)

  await assert.rejects(
    read(undefined, async () => {
      throw limited
    }),
    limited,
  )
})

test('a full page of items with many fields of their own is read', () => {
  const items = Array.from({ length: 200 }, (_, n) => ({
    id: `item-${n}`,
    name: 'Mug',
    ...Object.fromEntries(Array.from({ length: 80 }, (_, field) => [`field_${field}`, field])),
  }))
  const measure = measureJson({ levels: 16, values: 20_000, names: 5_000 })

  assert.equal(measure(Buffer.from(JSON.stringify({ items, total: 200 }))), null)
})
