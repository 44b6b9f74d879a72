import type { Operation } from '#api/platform/operation/operation.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { baseUrl } from '#test/support/processes/app.ts'
import { sendRequest } from '#test/support/processes/http.ts'

export interface Sent {
  path?: string
  body?: string | Uint8Array<ArrayBuffer>
  type?: string
  headers?: Record<string, string>
}

const SOME_ID = '01890000-0000-7000-8000-000000000000'

/** The path of an operation with the same value for each of its parameters. */
export const pathOf = (operation: Operation, value = SOME_ID) => operation.path.replace(/:\w+/g, value)

export const takesJson = (operation: Operation) => operation.body && operation.accepts === 'application/json'

/** A store, and a function that sends any request to any operation as a caller that the operation admits. */
export async function buildSender(): Promise<{
  store: BuiltStore
  send: (operation: Operation, sent: Sent) => Promise<{ status: number; body: Record<string, unknown> }>
}> {
  const store = await buildStore()
  const headers = await headersOf(store)
  return {
    store,
    async send(operation, { path, body, type = 'application/json', headers: more }) {
      const { status, text } = await sendRequest(`${baseUrl}/api/v1${path ?? pathOf(operation)}`, {
        method: operation.method.toUpperCase(),
        headers: {
          ...headers[operation.access.kind],
          ...(operation.idempotency === 'none' ? {} : { 'Idempotency-Key': crypto.randomUUID() }),
          ...(body === undefined ? {} : { 'Content-Type': type }),
          ...more,
        },
        body: body ?? null,
      })
      return { status, body: JSON.parse(text) }
    },
  }
}

type Headers = Record<Operation['access']['kind'], Record<string, string>>

async function headersOf(store: BuiltStore): Promise<Headers> {
  const customer = await buildCustomer(store)
  const owner = await buildStaff(store, { role: 'owner' })
  const key = { 'X-Service-Key': store.key }
  const asCustomer = { ...key, Authorization: `Bearer ${customer.token}` }
  return {
    open: key,
    storefront: key,
    guest: key,
    customer: asCustomer,
    account: asCustomer,
    staff: { Authorization: `Bearer ${owner.token}` },
    super_admin: { Authorization: `Bearer ${(await buildSuperAdmin()).token}` },
  }
}
