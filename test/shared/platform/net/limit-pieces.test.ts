import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { publicFetch } from '#api/gateways/public-fetch.ts'
import { createRemoteCatalogGateway } from '#workers/gateways/remote-catalog.ts'
import { createWebhookGateway } from '#workers/gateways/webhook-http.ts'

const never = new AbortController().signal

/** The URL of a server that answers each request with these bytes. */
async function serve(answer: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const webhooks = createWebhookGateway({ allowLocal: true })
const catalog = createRemoteCatalogGateway({ allowLocal: true })
after(() => Promise.all([webhooks.close(), catalog.close()]))
const fetch = publicFetch({ allowLocal: true, timeoutMs: 5_000 })

/** The clients of hosts that stores configure. */
const CLIENTS: Record<string, (url: string) => Promise<unknown>> = {
  'a webhook receiver': (url) => webhooks.post(url, {}, '{}', never),
  'an external catalog': (url) => catalog.item({ baseUrl: url, apiKey: 'key' }, 'a', never),
  'an identity provider': (url) =>
    fetch(url, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' }),
}

const ITEM = '{"id":"a","name":"A","price":1}'
const chunks = (text: string) => `${[...text].map((character) => `1\r\n${character}\r\n`).join('')}0\r\n\r\n`
const chunked = (text: string) => `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks(text)}`
const informational = (count: number) => 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(count)

for (const [name, call] of Object.entries(CLIENTS)) {
  test(`the response of ${name} fails after more than ten informational ones`, async () => {
    await assert.rejects(call(await serve(informational(11) + chunked(ITEM))), /too many informational/)
  })

  test(`the response of ${name} fails if its body has more than 1,000 tiny chunks`, async () => {
    await assert.rejects(call(await serve(chunked(ITEM + ' '.repeat(1_100)))), /too many small chunks/)
  })

  test(`the response of ${name} may have ten informational ones before it, and 900 tiny chunks`, async () => {
    await call(await serve(informational(10) + chunked(ITEM + ' '.repeat(800))))
  })
}
