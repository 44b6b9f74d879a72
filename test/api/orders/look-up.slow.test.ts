import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { serveBehindProxy } from '#test/support/processes/serve-behind-proxy.ts'

const OFF = { LIMIT_FAILURES: '0', LIMIT_CODES: '0' }

function configure(variables: Record<string, string>): void {
  Object.assign(process.env, variables)
  resetConfig()
}

// A proxy names the addresses of the buyer and of others.
const url = `${await serveBehindProxy()}/api/v1/orders/lookup`
afterEach(async () => {
  configure(OFF)
  await db()('rate_limits').delete()
})

const RIGHT = { status: 200, error_code: null }
const WRONG = { status: 404, error_code: 'resource.not_found' }
const LIMITED = { status: 429, error_code: 'rate_limit.exceeded' }

/** An address that no look-up has come from, in a network of its own. */
const newAddress = (): string => `100.64.${nextNumber() % 256}.1`

async function scene() {
  const store = await buildStore()
  const email = 'ada@example.test'
  const { number } = await buildOrder(store, { customerId: null, email })
  const lookUp = async (ip: string, body: object = {}, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': ip,
        'X-Service-Key': store.key,
        ...headers,
      },
      body: JSON.stringify({ number, email, ...body }),
    })
    const { error_code } = (await response.json()) as { error_code: string | null }
    return { status: response.status, error_code }
  }
  const guess = (ip: string) => lookUp(ip, { email: `guess${nextNumber()}@example.test` })
  return { store, number, lookUp, guess }
}

test('a network has a tenth of the limit of failures for a number; other numbers and networks have their own', async () => {
  const { store, number, lookUp, guess } = await scene()
  const other = await buildOrder(store, { customerId: null, email: 'bob@example.test' })
  configure({ LIMIT_FAILURES: '50' })
  const ip = newAddress()

  for (let n = 0; n < 5; n++) assert.deepEqual(await guess(ip), WRONG)

  assert.deepEqual(await lookUp(ip), LIMITED)
  assert.deepEqual(await lookUp(ip, { number: number.toLowerCase() }), LIMITED)
  assert.deepEqual(await lookUp(ip, { number: other.number, email: 'bob@example.test' }), RIGHT)
  assert.deepEqual(await lookUp(newAddress()), RIGHT)
})

test('a number that contains the address of a buyer does not limit the buyer', async () => {
  const { number, lookUp } = await scene()
  configure({ LIMIT_FAILURES: '50' })
  const ip = newAddress()

  for (let n = 0; n < 10; n++)
    await lookUp(newAddress(), { number: `${number} ${ip}`, email: `guess${nextNumber()}@example.test` })

  assert.deepEqual(await lookUp(ip), RIGHT)
})

test('strangers from many networks are limited together, and do not lock the buyer out', async () => {
  const { lookUp, guess } = await scene()
  configure({ LIMIT_FAILURES: '50' })
  for (let network = 0; network < 10; network++) {
    const ip = newAddress()
    for (let n = 0; n < 5; n++) assert.deepEqual(await guess(ip), WRONG)
  }
  const late = newAddress()

  const failures = [await guess(late), await guess(late), await guess(late)]

  assert.deepEqual(failures, [WRONG, WRONG, WRONG])
  assert.deepEqual(await guess(late), LIMITED)
  const home = newAddress()
  assert.deepEqual(await guess(home), WRONG)
  assert.deepEqual(await lookUp(home), RIGHT)
})

test('an unknown number has the limit of a known one', async () => {
  const { lookUp } = await scene()
  configure({ LIMIT_FAILURES: '20' })
  const ip = newAddress()
  const guess = () => lookUp(ip, { number: 'AAAAA-AAAAA' })

  assert.deepEqual([await guess(), await guess(), await guess()], [WRONG, WRONG, LIMITED])
})

test('look-ups count by network, whatever the account', async () => {
  const { store, lookUp } = await scene()
  configure({ LIMIT_CODES: '3' })
  const answers = []

  for (let n = 0; n < 4; n++) {
    const { token } = await buildCustomer(store)
    answers.push(await lookUp('2001:db8:7:1::1', {}, { Authorization: `Bearer ${token}` }))
  }

  assert.deepEqual(answers, [RIGHT, RIGHT, RIGHT, LIMITED])
  assert.deepEqual(await lookUp('2001:db8:7:2::1'), LIMITED)
  assert.deepEqual(await lookUp('2001:db8:8::1'), RIGHT)
})
