import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, mock, test } from 'node:test'
import '#test/support/database.ts'
import { GatewayRefusal } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { StripeHttpClient } from '#workers/gateways/stripe/stripe-http-client.ts'

// A gateway that answers every request with the same object.

const WITHIN_MS = 10_000
const SINCE = new Date('2026-01-01T00:00:00Z')

let answer: unknown
let asked = 0
const server: Server = createServer((request, response) => {
  asked += 1
  request.resume()
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
// The process has one client of the gateway, which the other test files use with their own.
const { makeRequest } = StripeHttpClient.prototype
mock.method(StripeHttpClient.prototype, 'makeRequest', function (this: StripeHttpClient, ...given) {
  const [, , path, method, headers, data, , timeout] = given
  return makeRequest.call(this, '127.0.0.1', `${port}`, path, method, headers, data, 'http', timeout)
} satisfies typeof makeRequest)
after(() => {
  mock.restoreAll()
  server.close()
  server.closeAllConnections()
})

const gateway = stripeGateway()
const REFUND = { id: 're_1', payment_intent: 'pi_1', status: 'succeeded', amount: 100, currency: 'eur' }
const INTENT = { id: 'pi_1', status: 'succeeded', amount_received: 100, currency: 'eur' }

/** A failure whose outcome is unknown, so that the job is repeated. */
const unknown = (error: unknown) =>
  error instanceof Error &&
  !(error instanceof GatewayRefusal) &&
  /^The gateway (sent|repeats|did not)/.test(error.message)

for (const [name, data] of [
  ['a length without items', { length: 1_000_000_000 }],
  ['more items than were asked for', Array.from({ length: 101 }, (_, n) => ({ ...REFUND, id: `re_${n}` }))],
  ['an item without an id', [{ ...REFUND, id: null }]],
  ['null as an item', [null]],
] as const)
  test(`a page of ${name} is refused`, { timeout: WITHIN_MS }, async () => {
    answer = { object: 'list', data, has_more: false }

    await assert.rejects(gateway.listRefunds('pi_1'), unknown)
  })

test('a list whose pages repeat ends with an error', { timeout: WITHIN_MS }, async () => {
  answer = { object: 'list', data: [REFUND], has_more: true }
  asked = 0

  await assert.rejects(gateway.listRefunds('pi_1'), unknown)

  assert.equal(asked, 2)
})

/** The id of an item of a list. */
const idOf = (item: object) => ('reference' in item ? item.reference : 'id' in item ? item.id : null)

const EVENT = { id: 'evt_1', type: 'payment_intent.succeeded', data: { object: INTENT } }
const DISPUTE = {
  id: 'dp_1',
  payment_intent: 'pi_1',
  status: 'lost',
  amount: 100,
  currency: 'eur',
  created: 1_767_225_600,
}

for (const [name, items, list] of [
  [
    'payments',
    [INTENT, { ...INTENT, id: 'pi_2', amount_received: '100' }],
    () => gateway.listPayments({ from: SINCE, to: new Date() }),
  ],
  [
    'refunds',
    [REFUND, { ...REFUND, id: 're_2', status: 'under_review' }],
    () => gateway.listRefundsSince(SINCE),
  ],
  ['disputes', [DISPUTE, { ...DISPUTE, id: 'dp_2', status: 'odd' }], () => gateway.listDisputesSince(SINCE)],
  [
    'notifications',
    [EVENT, { ...EVENT, id: 'evt_2', data: null }],
    () => gateway.listNotifications({ since: SINCE, types: [] }),
  ],
] as [string, object[], () => AsyncIterable<object>][])
  test(`an item that cannot be read is left out of the account's list of ${name}`, async () => {
    answer = { object: 'list', data: items, has_more: false }

    const listed = await Array.fromAsync(list())

    assert.deepEqual(listed.map(idOf), [(items[0] as { id: string }).id])
  })

for (const [name, call] of [
  ['a payment', () => gateway.readPayment('pi_1')],
  ['a canceled payment', () => gateway.cancelPayment('pi_1')],
  ['a setup', () => gateway.readSetup('pi_1')],
  ['a canceled setup', () => gateway.cancelSetup('pi_1')],
  ['a refund', () => gateway.readRefund('pi_1')],
  ['a dispute', () => gateway.readDispute('pi_1')],
  ['a card', () => gateway.readCard('pi_1')],
  ['a detached card', () => gateway.detachCard('pi_1')],
] as [string, () => Promise<unknown>][])
  test(`${name} is not read from an empty object, or from another one`, async () => {
    answer = {}
    await assert.rejects(call, unknown)

    answer = { ...INTENT, id: 'pi_2', status: 'canceled', card: {} }
    await assert.rejects(call, unknown)
  })

test('a payment counts as canceled only if the gateway says so', async () => {
  answer = { ...INTENT, status: 'requires_payment_method' }

  await assert.rejects(gateway.cancelPayment('pi_1'), unknown)
})

for (const money of [
  { amount_received: '100' },
  { amount_received: -100 },
  { amount_received: 1.5 },
  { amount_received: 2 ** 53 },
  { amount_received: null },
  { currency: null },
  { currency: 'euros' },
])
  test(`${JSON.stringify(money)} is no captured money`, async () => {
    answer = { ...INTENT, ...money }

    await assert.rejects(gateway.readPayment('pi_1'), unknown)
  })

test('the currency of captured money may have capitals', async () => {
  answer = { ...INTENT, currency: 'EUR' }

  assert.partialDeepStrictEqual(await gateway.readPayment('pi_1'), { amountMinor: 100n, currency: 'EUR' })
})

const CARD = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 }
const METHOD = { id: 'pm_1', object: 'payment_method', card: CARD }

test('a card is read with its brand, last digits and expiry', async () => {
  answer = METHOD

  assert.deepEqual(await gateway.readCard('pm_1'), {
    brand: 'visa',
    last4: '4242',
    expMonth: 12,
    expYear: 2030,
  })
})

for (const [name, odd] of [
  ['letters as last digits', { last4: 'abcd' }],
  ['a number as last digits', { last4: 4242 }],
  ['a month of 13', { exp_month: 13 }],
  ['a year as text', { exp_year: '2030' }],
  ['a brand of 51 characters', { brand: 'v'.repeat(51) }],
] as const)
  test(`a card with ${name} is refused`, async () => {
    answer = { ...METHOD, card: { ...CARD, ...odd } }

    await assert.rejects(gateway.readCard('pm_1'), unknown)
  })

test('a setup whose card has an id of 256 characters is refused', async () => {
  answer = { id: 'seti_1', status: 'succeeded', payment_method: 'p'.repeat(256) }

  await assert.rejects(gateway.readSetup('seti_1'), unknown)
})
