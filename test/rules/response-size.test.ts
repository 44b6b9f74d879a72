import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import '#test/support/database.ts'
import type { TSchema } from 'typebox'
import { createApp } from '#api/app.ts'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { currentClient } from '#shared/platform/db/waiting-client.ts'
import type { BuiltAccount } from '#test/support/builders/accounts.ts'
import { buildFullStore, type FullStore } from '#test/support/builders/full-store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { IN_PATHS, nameOf, parametersOf } from '#test/support/requests/names-in-requests.ts'

// Every list ends when it has read more bytes than a response may hold, wherever its rows come from.

/** A set that does not grow: the service's own kinds and queues. */
const FIXED = ['GET /admin/event-types', 'GET /admin/geo/zones', 'GET /super-admin/queues']

/** What these need in their query. */
const QUERIES: Record<string, string> = {
  'GET /cart/shipping-methods': '?country=DE',
  'GET /admin/geo/zones': '?country=US',
}

const lists = endpoints.filter(
  ({ method, returns }) =>
    method === 'get' && (returns.at(-1) as TSchema & { type?: string }).type === 'array',
)

/** The operation, whose handler may read no byte. */
const withoutBytes = (operation: Operation): Operation => ({
  ...operation,
  handle(call) {
    Object.assign(currentClient() ?? {}, { maxReadBytes: 0 })
    return operation.handle(call)
  },
})

const server = createApp(lists.map(withoutBytes)).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`

let store: FullStore
let root: BuiltAccount
before(async () => {
  store = await buildFullStore()
  root = await buildSuperAdmin()
})

const pathOf = (operation: Operation) =>
  parametersOf(operation).reduce(
    (path, parameter) => path.replace(/:\w+/, IN_PATHS[parameter]?.(store).at(0) ?? ''),
    operation.path.replace('stores/:id', `stores/${store.store.id}`).replace(':name', 'send-mail'),
  ) + (QUERIES[nameOf(operation)] ?? '')

function headersOf({ access: { kind } }: Operation): Record<string, string> {
  if (kind === 'staff') return { Authorization: `Bearer ${store.owner.token}` }
  if (kind === 'super_admin') return { Authorization: `Bearer ${root.token}` }
  const key = { 'X-Service-Key': store.store.key }
  return kind === 'storefront' ? key : { ...key, Authorization: `Bearer ${store.customer.token}` }
}

for (const operation of lists)
  test(`${nameOf(operation)} ends when it reads too many bytes`, async () => {
    const response = await fetch(url + pathOf(operation), { headers: headersOf(operation) })

    const { error_code } = (await response.json()) as { error_code: string | null }
    assert.equal(
      error_code,
      FIXED.includes(nameOf(operation)) ? null : 'response.too_large',
      `${response.status}`,
    )
  })
