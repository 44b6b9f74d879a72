import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBooks } from '#test/support/books/test-books.ts'
import '#test/support/database.ts'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { newId } from '#shared/platform/db/id.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { freezeClock } from '#test/support/clock.ts'
import { type ApiResponse, type RequestOptions, request } from '#test/support/processes/app.ts'

// Boundary values of each limit over HTTP. Other tests cover the grace period of a refresh token
// (59.9 s and 60.1 s; test/api/identity/refresh.test.ts), the ten recovery codes
// (test/api/identity/two-factor.test.ts), the subtotal as the maximum of a coupon (test/api/cart/coupon.test.ts)
// and the remote catalog's rate per API key (test/api/remote-catalog/remote-limits.slow.test.ts).

/** The largest page of each list that has its own; all other lists share one. */
const LARGEST_PAGES: Record<string, number> = {
  '/products/:slug/questions': 50,
  '/admin/remote/catalog': 200,
}
const LARGEST_PAGE = 100

interface Paged {
  properties: { page_size?: { maximum?: number } }
}

const lists = endpoints.filter(({ query }) => (query as Paged | undefined)?.properties.page_size)

/** Sends a request as a caller with access, for a record that may or may not exist. */
async function reader() {
  const store = await buildStore()
  const { slug } = await buildProduct(store)
  const customer = { store, token: (await buildCustomer(store)).token }
  const callers: Partial<Record<Operation['access']['kind'], RequestOptions>> = {
    storefront: { store },
    customer,
    account: customer,
    staff: { token: (await buildStaff(store, { role: 'owner' })).token },
    super_admin: { token: (await buildSuperAdmin()).token },
  }
  return ({ path, access }: Operation, query: string): Promise<ApiResponse> => {
    const address = path
      .replace('stores/:id', `stores/${store.id}`)
      .replace(':slug', slug)
      .replace(/:\w+/, newId())
    return request(`GET ${address}?${query}`, callers[access.kind])
  }
}

test('every list accepts pages from 1 and sizes from 1 to its maximum, and names the limit that was exceeded', async () => {
  const read = await reader()
  const wrong: string[] = []

  for (const list of lists) {
    const largest = LARGEST_PAGES[list.path] ?? LARGEST_PAGE
    for (const query of ['page=1', 'page_size=1', `page_size=${largest}`]) {
      const { status } = await read(list, query)
      if (![200, 404, 409].includes(status)) wrong.push(`${list.path}?${query} answers ${status}`)
    }
    for (const [field, value, type, bound] of [
      ['page', 0, 'greater_than_equal', { ge: 1 }],
      ['page_size', 0, 'greater_than_equal', { ge: 1 }],
      ['page_size', largest + 1, 'less_than_equal', { le: largest }],
    ] as const) {
      const { status, error_code, detail } = await read(list, `${field}=${value}`)
      const fault = { type, loc: ['query', field], ctx: bound }
      const reported = { type: detail?.[0].type, loc: detail?.[0].loc, ctx: detail?.[0].ctx }
      if (
        status !== 422 ||
        error_code !== 'validation.failed' ||
        JSON.stringify(reported) !== JSON.stringify(fault)
      )
        wrong.push(`${list.path}?${field}=${value} answers ${status} ${JSON.stringify(reported)}`)
    }
  }

  assert.deepEqual(wrong, [])
  assert.ok(
    lists.length > 20 && Object.keys(LARGEST_PAGES).every((path) => lists.some((one) => one.path === path)),
  )
})

test("a customer's access token expires after exactly thirty minutes", async () => {
  const store = await buildStore()
  const { email } = await buildCustomer(store)
  const signedInAt = Math.floor(Date.now() / SECOND_MS) * SECOND_MS
  freezeClock(new Date(signedInAt))
  const { data } = await request('POST /auth/login', { store, body: { email, password: PASSWORD } })
  const after = async (ms: number) => {
    freezeClock(new Date(signedInAt + ms))
    return (await request('GET /auth/me', { store, token: data.access_token })).error_code
  }

  assert.equal(data.expires_in, 1_800)
  assert.equal(await after(30 * MINUTE_MS - 1), null)
  assert.equal(await after(30 * MINUTE_MS), 'auth.token_expired')
})

testBooks()
