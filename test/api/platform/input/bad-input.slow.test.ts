import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { TObject } from 'typebox'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { buildSender, pathOf, type Sent, takesJson } from '#test/support/builders/sender.ts'
import type { BuiltStore } from '#test/support/builders/store.ts'
import { contents } from '#test/support/measure/contents.ts'
import { baseUrl, rawRequest } from '#test/support/processes/app.ts'
import { replaceLeaves } from '#test/support/requests/replace-leaves.ts'

// Every operation is sent what no client should send. It must answer a clear 4xx in the envelope and write nothing.

let store: BuiltStore
let send: Awaited<ReturnType<typeof buildSender>>['send']

before(async () => {
  ;({ store, send } = await buildSender())
})

type Reply = Awaited<ReturnType<typeof send>>

function assertRefused({ status, body }: Reply, what: string): void {
  assert.ok(status >= 400 && status < 500, `${what}: ${status} ${JSON.stringify(body)}`)
  assert.deepEqual(
    Object.keys(body).filter((key) => key !== 'detail'),
    ['data', 'meta', 'error', 'error_code'],
    what,
  )
  assert.ok(body.error && body.error_code, what)
}

function operationAt(method: string, path: string): Operation {
  const found = endpoints.find((operation) => operation.method === method && operation.path === path)
  assert.ok(found)
  return found
}

for (const operation of endpoints) {
  const name = `${operation.method.toUpperCase()} ${operation.path}`

  test(`${name} answers 4xx to invalid input and writes nothing`, async () => {
    const before = await contents()

    for (const name of ['nonsense', '__proto__'])
      assertRefused(
        await send(operation, { path: `${pathOf(operation)}?${name}=1`, ...sample(operation) }),
        `${name} in the query`,
      )
    assertRefused(
      await send(operation, { path: `${pathOf(operation)}?q=%00`, ...sample(operation) }),
      'NUL in the query',
    )
    assertRefused(
      await send(operation, { path: `${pathOf(operation)}?q=%ff`, ...sample(operation) }),
      'query not UTF-8',
    )
    if (operation.params)
      for (const bad of ['%00', '%ff', '%ED%A0%80', 'x'.repeat(5_000), "'--", '%F0%9F%92%A9'])
        assertRefused(
          await send(operation, { path: pathOf(operation, bad), ...sample(operation) }),
          `path ${bad.slice(0, 20)}`,
        )
    for (const query of badPages(operation))
      assertRefused(await send(operation, { path: pathOf(operation) + query }), query)
    if (takesJson(operation))
      for (const [what, sent] of badBodies(operation)) assertRefused(await send(operation, sent), what)

    assert.deepEqual(await contents(), before)
  })
}

const sample = (operation: Operation): Sent =>
  takesJson(operation) ? { body: JSON.stringify(operation.example.body) } : {}

function badPages({ query }: Operation): string[] {
  const names = Object.keys((query as TObject | undefined)?.properties ?? {})
  const bad = ['0', '-1', '1.5', '1e400', '99999999999999999999', 'x', '', '%20', '1&page=2']
  return names.includes('page') ? bad.map((value) => `?page=${value}`) : []
}

function badBodies(operation: Operation): [string, Sent][] {
  const example = operation.example.body as Record<string, unknown>
  const text = JSON.stringify(example)
  const nested = '['.repeat(50_000) + ']'.repeat(50_000)
  const bodies: [string, string][] = [
    ['cut JSON', text.slice(0, -1)],
    ['two values', `${text} ${text}`],
    ['not JSON', '<xml/>'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"x"'],
    ['unknown field', JSON.stringify({ ...example, nonsense: 1 })],
    ['__proto__', `{"__proto__":{"x":1},${text.slice(1)}`],
    ['too deep', `{"nonsense":${nested.slice(0, 40)}${']'.repeat(40)}}`],
    ['far too deep', nested],
    ['too large a number', `{"nonsense":1e400}`],
    ['too large', JSON.stringify({ nonsense: 'x'.repeat(operation.bodyLimit) })],
    ...[...replaceLeaves(example, '\0')].map((body): [string, string] => ['NUL', JSON.stringify(body)]),
    ...[...replaceLeaves(example, '\ud800')].map((body): [string, string] => [
      'half a surrogate',
      JSON.stringify(body),
    ]),
  ]
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json; charset=latin1',
  ]
  return [
    ['no body', {}],
    ...bodies.filter(([, body]) => body !== '{}').map(([what, body]): [string, Sent] => [what, { body }]),
    ...types.map((type): [string, Sent] => [type, { body: text, type }]),
    ['compressed', { body: text, headers: { 'Content-Encoding': 'gzip' } }],
  ]
}

const HEADS: [string, string][] = [
  ['two Host headers', 'GET /api/v1/settings/store-info HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n'],
  ['no Host header', 'GET /api/v1/settings/store-info HTTP/1.1\r\n'],
  [
    'another host in its address',
    'GET http://b.example/api/v1/settings/store-info HTTP/1.1\r\nHost: a.example\r\n',
  ],
  [
    'two tokens',
    'GET /api/v1/auth/me HTTP/1.1\r\nHost: a.example\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n',
  ],
  [
    'two keys',
    'GET /api/v1/settings/store-info HTTP/1.1\r\nHost: a\r\nX-Service-Key: a\r\nX-Service-Key: b\r\n',
  ],
  ['an address that is no URL', 'GET http://[::1 HTTP/1.1\r\nHost: a.example\r\n'],
  ['a broken escape in its address', 'GET /api/v1/%zz HTTP/1.1\r\nHost: a.example\r\n'],
  ['headers past all measure', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n`],
  ['no HTTP at all', 'GARBAGE\r\n'],
  [
    'two lengths',
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n',
  ],
  [
    'length and chunks',
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n',
  ],
]

for (const [what, head] of HEADS)
  test(`a request with ${what} is refused with an envelope`, async () => {
    const answer = await rawRequest(head)

    assert.match(answer, /^HTTP\/1\.1 4\d\d /)
    assert.match(answer, /"error_code":"[a-z_.]+"/)
  })

const NOT_UTF8 = {
  'a lone byte': [0xff],
  'an overlong NUL': [0xc0, 0x80],
  'half a character': [0xf0, 0x9f, 0x92],
}

for (const [what, bytes] of Object.entries(NOT_UTF8))
  test(`a body with ${what} is refused, not stored as other characters`, async () => {
    const [head = '', tail = ''] = JSON.stringify({
      email: 'nobody@example.com',
      password: 'x?y234567',
    }).split('?')
    const body = new Uint8Array([...Buffer.from(head), ...bytes, ...Buffer.from(tail)])

    const answer = await send(operationAt('post', '/auth/login'), { body })

    assert.equal(answer.status, 400)
    assert.equal(answer.body.error_code, 'request.malformed')
  })

test('media types are case-insensitive', async () => {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong password' })
  const { status, body: answer } = await send(operationAt('post', '/auth/login'), {
    body,
    type: 'Application/JSON ; Charset=UTF-8',
  })

  assert.equal(status, 401)
  assert.equal(answer.error_code, 'auth.invalid_credentials')
})

test('an unknown address returns 404; a known one with another method returns 405 with Allow', async () => {
  const missing = await fetch(`${baseUrl}/api/v1/nowhere`)
  const wrong = await fetch(`${baseUrl}/api/v1/settings/store-info`, { method: 'DELETE' })

  assert.equal(missing.status, 404)
  assert.match(await missing.text(), /resource\.not_found/)
  assert.equal(wrong.status, 405)
  assert.match(await wrong.text(), /request\.method_not_allowed/)
  assert.match(wrong.headers.get('Allow') ?? '', /GET/)
})

test('addresses are case-insensitive and may end in a slash', async () => {
  const headers = { 'X-Service-Key': store.key }

  const shouted = await fetch(`${baseUrl}/API/V1/Products/`, { headers })
  const refused = await fetch(`${baseUrl}/api/v1/ADMIN/Products`, { headers })

  assert.equal(shouted.status, 200)
  assert.match(await refused.text(), /auth\.publishable_key_forbidden/)
})
