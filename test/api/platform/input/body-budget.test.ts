import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import type { Context } from 'koa'
import { heldBytes, readAtPace } from '#api/platform/input/body-budget.ts'
import { baseUrl, request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { until } from '#test/support/until.ts'

const MIB = 1024 * 1024
const BODY = 1_000_000

/** Begins a request with a large body that does not arrive. */
function beginBody(token: string): Socket {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `POST /api/v1/admin/categories HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${BODY}\r\n\r\n{`,
  )
  return socket
}

test('bodies over the budget of the process are 429, until those under way have ended', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const fitting = Math.floor((32 * MIB) / BODY)
  const body = { name_i18n: { en: 'Mugs' }, description_i18n: {} }
  const sockets = Array.from({ length: fitting }, () => beginBody(token))
  await until('the bodies are under way', async () => heldBytes() === fitting * BODY)

  const large = await request('POST /admin/categories', {
    token,
    body: { ...body, filling: 'x'.repeat(BODY) },
  })
  for (const socket of sockets) socket.destroy()
  await until('the bodies have ended', async () => heldBytes() === 0)
  const after = await request('POST /admin/categories', { token, body })

  assert.deepEqual(
    { status: large.status, error_code: large.error_code, retry: large.headers.get('Retry-After') },
    { status: 429, error_code: 'rate_limit.exceeded', retry: '1' },
  )
  assert.equal(after.status, 201)
})

test('a body that arrives too slowly is 400 and closes the connection; a faster one is read', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const headers: Record<string, string> = {}
  const ctx = {
    set: (name: string, value: string) => {
      headers[name] = value
    },
  } as unknown as Context
  const read = Promise.withResolvers<string>()

  const slow = readAtPace(ctx, 16_000, () => new Promise<never>(() => {}))
  const fast = readAtPace(ctx, 32_000, () => read.promise)
  t.mock.timers.tick(11_500)
  read.resolve('read')

  await assert.rejects(slow, { code: 'request.malformed', message: /too slowly/ })
  assert.equal(await fast, 'read')
  assert.deepEqual(headers, { Connection: 'close' })
})
