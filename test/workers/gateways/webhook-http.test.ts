import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { excerptOf } from '#workers/gateways/read-excerpt.ts'
import { createWebhookGateway } from '#workers/gateways/webhook-http.ts'

const never = new AbortController().signal

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

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
  test(`a public name that resolves to ${addresses} is not called`, async () => {
    const gateway = createWebhookGateway({ allowLocal: false, resolve: async () => addresses })

    const call = gateway.post('https://rebound.example.com/', {}, '{}', never)

    await assert.rejects(call, { code: 'webhooks.url_not_public' })
    await gateway.close()
  })

test('the development switch does not allow names that resolve to loopback', async () => {
  const gateway = createWebhookGateway({ allowLocal: true, resolve: async () => ['127.0.0.1'] })

  await assert.rejects(gateway.post('https://rebound.example.com/', {}, '{}', never), {
    code: 'webhooks.url_not_public',
  })
  await gateway.close()
})

test('an IP literal is checked, although it is not resolved', async () => {
  const base = await serve((_request, response) => response.end('inside'))
  const gateway = createWebhookGateway({ allowLocal: false })

  for (const url of [base, base.replace('http', 'https'), 'https://0x7f.1/'])
    await assert.rejects(gateway.post(url, {}, '{}', never), { name: 'CodedError' })
  await gateway.close()
})

test('an idle connection is closed after its time, even if the receiver asks for ten minutes', async () => {
  const closed = Promise.withResolvers<boolean>()
  const url = await serve((request, response) => {
    request.socket.once('close', () => closed.resolve(true))
    response.setHeader('Keep-Alive', 'timeout=600').end('ok')
  })
  const gateway = createWebhookGateway({ allowLocal: true, keepAliveMs: 500 })

  await gateway.post(url, {}, '{}', never)

  assert.ok(await Promise.race([closed.promise, pause(5_000, false, { ref: false })]))
  await gateway.close()
})

test('a name is resolved again for each new connection', async () => {
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    return []
  }
  const gateway = createWebhookGateway({ allowLocal: false, resolve })

  for (let i = 0; i < 2; i++)
    await assert.rejects(gateway.post('https://nowhere.example.com/', {}, '{}', never), /no address/)

  assert.deepEqual(asked, ['nowhere.example.com', 'nowhere.example.com'])
  await gateway.close()
})

test('an endless response is cut off, and its start is kept', async () => {
  let sent = 0
  const base = await serve((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write('a'.repeat(16_384))) sent += 16_384
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  const gateway = createWebhookGateway({ allowLocal: true })

  const { excerpt, statusCode } = await gateway.post(base, {}, '{}', never)

  assert.equal(statusCode, 200)
  assert.equal(excerpt, 'a'.repeat(1_024))
  assert.ok(sent < 16 * 1_024 * 1_024)
  await gateway.close()
})

test('the deadline covers a body that never ends', async () => {
  const base = await serve((_request, response) => void response.write('slowly'))
  const gateway = createWebhookGateway({ allowLocal: true, timeoutMs: 150 })

  await assert.rejects(gateway.post(base, {}, '{}', never), { name: 'TimeoutError' })
  await gateway.close()
})

test('an excerpt has whole characters, without control characters and direction marks', () => {
  assert.equal(excerptOf(Buffer.from('a\u0000b\u001b[2Jc\r\nd\u202ee')), 'ab[2Jcde')
  assert.equal(excerptOf(Buffer.from('héé').subarray(0, 4)), 'hé')
  assert.equal(excerptOf(Buffer.from([0xff, 0x61])), '\ufffda')
})
