import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import '#test/support/database.ts'
import { createApp } from '#api/app.ts'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { inPlatform } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { nameOf } from '#test/support/requests/names-in-requests.ts'

const TOO_MUCH = 17 * 1024 * 1024

/** The operation, whose handler loads too much before it does its work. */
const loadsTooMuch = (operation: Operation): Operation => ({
  ...operation,
  async handle(call) {
    await inPlatform(({ knex }) => knex.raw("select repeat('x', ?)", [TOO_MUCH]))
    return operation.handle(call)
  },
})

const server = createApp(
  endpoints.map((operation) =>
    nameOf(operation) === 'POST /admin/manufacturers' ? loadsTooMuch(operation) : operation,
  ),
).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/admin/manufacturers`

test('a change that loads too much data returns 422 request.too_much_data and stores nothing', async () => {
  const { token } = await buildStaff(await buildStore(), { role: 'owner' })
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }

  const refused = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name: 'Too much' }) })
  const list = await fetch(url, { headers })

  assert.equal(refused.status, 422)
  assert.partialDeepStrictEqual(await refused.json(), { data: null, error_code: 'request.too_much_data' })
  assert.partialDeepStrictEqual(await list.json(), { data: [] })
})
