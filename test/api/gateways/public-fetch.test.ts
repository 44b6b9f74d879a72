import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { publicFetch } from '#api/gateways/public-fetch.ts'

const ask = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const local = (timeoutMs = 5_000) => publicFetch({ allowLocal: true, timeoutMs })

test('publicFetch sends a form and returns the response', async () => {
  const url = await serve(async (request, response) => {
    const chunks = await request.toArray()
    response.writeHead(201, { 'content-type': 'text/plain' }).end(`${request.method} ${chunks.join('')}`)
  })

  const response = await local()(url, { ...ask, method: 'POST', body: new URLSearchParams({ a: 'b c' }) })

  assert.equal(response.status, 201)
  assert.equal(response.headers.get('content-type'), 'text/plain')
  assert.equal(await response.text(), 'POST a=b+c')
})

test('publicFetch passes on no header of which a client would parse more than the type', async () => {
  const url = await serve((_request, response) =>
    response
      .writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'a '.repeat(7_000) })
      .end('{"error":"invalid_client"}'),
  )

  const response = await local()(url, ask)

  assert.equal(response.status, 401)
  assert.deepEqual([...response.headers.keys()], ['content-type'])
  assert.deepEqual(await response.json(), { error: 'invalid_client' })
})

test('publicFetch does not follow a redirect', async () => {
  const url = await serve((_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  )

  assert.equal((await local()(url, ask)).status, 302)
})

test('an endless response is rejected', async () => {
  const url = await serve((_request, response) => {
    const more = () => response.write('x'.repeat(65_536), (error) => error || more())
    more()
  })

  await assert.rejects(local()(url, ask), /more than 65536 bytes/)
})

test('a missing response is rejected with TimeoutError', async () => {
  const url = await serve(() => {})

  await assert.rejects(local(100)(url, ask), { name: 'TimeoutError' })
})

for (const url of ['https://10.0.0.1/', 'https://[fc00::1]/', 'http://login.example/', 'https://x.internal/'])
  test(`the URL ${url} is rejected`, async () => {
    await assert.rejects(local()(url, ask), /must not be called/)
  })

test('a name that resolves to a private address is rejected', async () => {
  const fetching = publicFetch({ allowLocal: false, timeoutMs: 5_000, resolve: async () => ['10.0.0.1'] })

  await assert.rejects(fetching('https://login.example/', ask), /not public/)
})

test('localhost is rejected without allowLocal', async () => {
  const url = await serve((_request, response) => response.end())
  const fetching = publicFetch({ allowLocal: false, timeoutMs: 5_000 })

  await assert.rejects(fetching(url, ask), /must not be called/)
})
