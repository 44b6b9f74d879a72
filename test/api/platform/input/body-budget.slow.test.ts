import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { reservedBytes, reservedFileBytes } from '#api/platform/rate-limits/byte-budgets.ts'
import { now } from '#shared/platform/time/clock.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { type ApiResponse, baseUrl, request } from '#test/support/processes/app.ts'
import { serveBehindProxy } from '#test/support/processes/serve-behind-proxy.ts'
import { until } from '#test/support/races/until.ts'

const MIB = 1024 * 1024
const BODY = 1_040_000
const EVENT = 256 * 1024
const FILES_OF_STORE = 32

const refused = { status: 429, error_code: 'rate_limit.exceeded' }

/** Begins a request whose body lacks its last byte. */
function begin(
  path: string,
  bytes: number,
  header: string,
  { arriving = bytes - 1, to = baseUrl, type = 'application/json' } = {},
): Socket {
  const socket = connect(Number(new URL(to).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `POST /api/v1${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n` +
      `Content-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n{${' '.repeat(arriving - 1)}`,
  )
  return socket
}

/** Begins `count` of these requests, and waits until they hold their bytes. Returns how to end them. */
async function beginMany(count: number, bytes: number, path: string, header: string, to = baseUrl) {
  const before = reservedBytes()
  const sockets = Array.from({ length: count }, () => begin(path, bytes, header, { to }))
  await until('the bodies are under way', async () => reservedBytes() >= before + count * (bytes - 1))
  return async () => {
    for (const socket of sockets) socket.destroy()
    await until('the bodies have ended', async () => reservedBytes() <= before)
  }
}

const signature = () => `Stripe-Signature: t=${Math.floor(now().getTime() / 1_000)},v1=00`

async function buildCaller(store: BuiltStore) {
  const { token } = await buildStaff(store, { role: 'catalog' })
  const body = { name_i18n: { en: 'Mugs' }, description_i18n: {} }
  const send = (filling = ''): Promise<ApiResponse> =>
    request('POST /admin/categories', { token, body: filling ? { ...body, filling } : body })
  return { token, send, large: () => send('x'.repeat(BODY)) }
}

test('the staff of a store can use at most half of the body bytes of a process; staff of another store can still send', async () => {
  const [one, other] = [await buildCaller(await buildStore()), await buildCaller(await buildStore())]
  const fitting = Math.floor((16 * MIB) / BODY)
  const end = await beginMany(fitting, BODY, '/admin/categories', `Authorization: Bearer ${one.token}`)

  const large = await one.large()
  const others = [await other.large(), await other.send()]
  await end()
  const after = await one.send()

  assert.partialDeepStrictEqual(large, refused)
  assert.equal(large.headers.get('Retry-After'), '1')
  assert.deepEqual(
    others.map(({ status }) => status),
    [422, 201],
  )
  assert.equal(after.status, 201)
})

test('bodies past the budget of the process return 429 to every sender', async () => {
  const callers = await Promise.all([1, 2, 3].map(async () => buildCaller(await buildStore())))
  const fitting = Math.floor((16 * MIB) / BODY)
  const ends = []
  for (const { token } of callers.slice(0, 2))
    ends.push(await beginMany(fitting, BODY, '/admin/categories', `Authorization: Bearer ${token}`))

  const third = await callers[2]?.large()
  // The last first: each waits until what was held before it began is left.
  for (const end of ends.reverse()) await end()

  assert.partialDeepStrictEqual(third, refused)
})

test('stalled bodies do not block other requests', async () => {
  const { token, send, large } = await buildCaller(await buildStore())
  const header = `Authorization: Bearer ${token}`
  const before = reservedBytes()
  const sockets = Array.from({ length: 40 }, () => begin('/admin/categories', BODY, header, { arriving: 1 }))
  await until('the bodies have begun', async () => reservedBytes() === before + sockets.length)

  const answers = [await large(), await send()]
  for (const socket of sockets) socket.destroy()
  await until('the bodies have ended', async () => reservedBytes() <= before)

  assert.deepEqual(
    answers.map(({ status }) => status),
    [422, 201],
  )
})

test('announced notifications that do not arrive block no other request', async (t) => {
  const to = await serveBehindProxy(t)
  const networks = Array.from({ length: 20 }, (_, n) => `X-Forwarded-For: 198.51.100.${n}\r\n${signature()}`)
  const before = reservedBytes()
  const sockets = networks.flatMap((header) =>
    Array.from({ length: (2 * MIB) / EVENT }, () =>
      begin('/payments/stripe/webhook', EVENT, header, { arriving: 1, to }),
    ),
  )
  await until('the bodies have begun', async () => reservedBytes() === before + sockets.length)

  const response = await fetch(`${to}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '192.0.2.9' },
    body: JSON.stringify({ email: 'nobody@example.test', password: 'wrong horse battery' }),
  })
  for (const socket of sockets) socket.destroy()
  await until('the bodies have ended', async () => reservedBytes() <= before)

  assert.equal(response.status, 401)
})

test('announced uploads of some stores that do not arrive block no upload of another store', async () => {
  const callers = await Promise.all(Array.from({ length: 5 }, async () => buildCaller(await buildStore())))
  const other = callers.pop()
  const sockets = callers.flatMap(({ token }) =>
    Array.from({ length: FILES_OF_STORE }, () =>
      begin('/admin/images', (256 * MIB) / FILES_OF_STORE, `Authorization: Bearer ${token}`, {
        arriving: 1,
        type: 'application/octet-stream',
      }),
    ),
  )
  await until('the uploads have begun', async () => reservedFileBytes() === sockets.length)

  const response = await fetch(`${baseUrl}/api/v1/admin/images`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream', Authorization: `Bearer ${other?.token}` },
    body: 'no image',
  })
  for (const socket of sockets) socket.destroy()
  await until('the uploads have ended', async () => reservedFileBytes() === 0)

  assert.equal(response.status, 422)
})

test('bodies of senders that disconnect are no longer counted', async () => {
  const { token, send } = await buildCaller(await buildStore())
  const before = reservedBytes()
  const leave = async (path: string, bytes: number, header: string) => {
    const socket = begin(path, bytes, header, { arriving: 1 })
    await once(socket, 'connect')
    setImmediate(() => socket.destroy())
  }

  for (let n = 0; n < 20; n++) {
    await leave('/admin/categories', BODY, `Authorization: Bearer ${token}`)
    await leave('/payments/stripe/webhook', EVENT, signature())
  }
  // Its response shows that the server has read the requests before it.
  const { status } = await send()
  await until('the bytes are released', async () => reservedBytes() === before)

  assert.equal(status, 201)
})

test('callers without a store are limited only by their network', async (t) => {
  const to = await serveBehindProxy(t)
  const ends = []
  for (let n = 1; n <= 5; n++) {
    const header = `X-Forwarded-For: 192.0.2.${n}`
    ends.push(
      await beginMany(
        (2 * MIB) / EVENT,
        EVENT,
        '/payments/stripe/webhook',
        `${header}\r\n${signature()}`,
        to,
      ),
    )
  }

  const { status } = await fetch(`${to}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '192.0.2.9' },
    body: JSON.stringify({ email: 'nobody@example.test', password: 'wrong horse battery' }),
  })
  for (const end of ends.reverse()) await end()

  assert.equal(status, 401)
})

test('one network without a sign-in uses two MiB at most, and does not reduce the share of staff', async () => {
  const { send, large } = await buildCaller(await buildStore())
  const path = '/payments/stripe/webhook'
  const end = await beginMany((2 * MIB) / EVENT, EVENT, path, signature())

  const more = await fetch(`${baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature().split(': ')[1] ?? '' },
    body: ' '.repeat(EVENT),
  })
  const staff = [await large(), await send()]
  await end()

  assert.equal(more.status, 429)
  assert.deepEqual(
    staff.map(({ status }) => status),
    [422, 201],
  )
})
