import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildCustomer, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { startWebProcess } from '#test/support/processes/web-process.ts'

// Two web processes behind a proxy count against the same limits.

const LIMITS = { LIMIT_LOGIN: '5', LIMIT_FAILURES: '12', LIMIT_API: '300' }
const env = { TRUST_PROXY: 'true', PROXY_HOPS: '1', ...LIMITS }
const [one, other] = await Promise.all([startWebProcess(env), startWebProcess(env)])
const store = await buildStore()

const headersFrom = (address: string) => ({ 'X-Service-Key': store.key, 'X-Forwarded-For': address })

async function signIn(url: string, address: string, email: string, password: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { ...headersFrom(address), 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  await response.text()
  return response.status
}

const inParallel = (count: number, work: (n: number) => Promise<number>): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

const countOf = (status: number, statuses: number[]): number =>
  statuses.filter((each) => each === status).length

test('exactly five of 40 parallel sign-ins from one address are checked', async () => {
  const { email } = await buildCustomer(store)

  const statuses = await inParallel(40, (n) => signIn(n % 2 ? one : other, '192.0.2.1', email, 'guess'))

  assert.equal(countOf(401, statuses), 5)
  assert.equal(countOf(429, statuses), 35)
})

test('exactly twelve of 30 parallel guesses from 30 addresses are checked', async () => {
  const { email } = await buildCustomer(store)

  const statuses = await inParallel(30, (n) => signIn(n % 2 ? one : other, `100.64.${n}.1`, email, 'guess'))

  assert.equal(countOf(401, statuses), 12)
  assert.equal(countOf(429, statuses), 18)
  assert.equal(await signIn(other, '100.65.0.1', email, PASSWORD), 429)
})

test('at most 300 of 401 requests pass, and at least 291', async () => {
  const read = async (url: string) => {
    const response = await fetch(`${url}/api/v1/settings/store-info`, { headers: headersFrom('192.0.2.2') })
    await response.text()
    return response.status
  }

  // The worst case: one process gets a single request, the other one all the rest.
  const first = await read(other)
  const statuses = await inParallel(400, () => read(one))

  const passed = countOf(200, [first, ...statuses])
  assert.ok(passed <= 300 && passed >= 291, `${passed} passed`)
})
