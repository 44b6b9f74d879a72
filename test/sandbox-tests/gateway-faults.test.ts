import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { FaultMode } from '#test/sandbox/gateway/faults.ts'
import { failureOf, openGateway, paidIntent, stripeFor } from './gateway-fixture.ts'

/** A gateway with a paid intent, set to fail the next refund. */
async function failingGateway(mode: FaultMode, more: { delay_ms?: number; times?: number } = {}) {
  const own = await openGateway()
  const { id } = await paidIntent(own.stripe)
  own.gateway.faults.set({ on: 'POST /v1/refunds', mode, times: 1, ...more })
  const refund = (stripe = own.stripe) =>
    stripe.refunds.create({ payment_intent: id, amount: 100 }, { idempotencyKey: 'refund-1' })
  return { ...own, refund, refundCount: () => own.gateway.ledger().refunds.length }
}

test('error_before: 500, nothing applied; a retry with the same key succeeds', async () => {
  await using own = await failingGateway('error_before')
  const error = await failureOf(own.refund())
  assert.deepEqual(
    { type: error.type, statusCode: error.statusCode, refundCount: own.refundCount() },
    { type: 'StripeAPIError', statusCode: 500, refundCount: 0 },
  )
  assert.equal((await own.refund()).status, 'succeeded')
})

test('error_after: 500 after it is applied; a retry with the same key returns the result', async () => {
  await using own = await failingGateway('error_after')
  const error = await failureOf(own.refund())
  assert.deepEqual(
    { statusCode: error.statusCode, refundCount: own.refundCount() },
    { statusCode: 500, refundCount: 1 },
  )
  assert.equal((await own.refund()).status, 'succeeded')
  assert.equal(own.refundCount(), 1)
})

test('timeout_after_success: applied and never answered; a retry with the same key returns the result', async () => {
  await using own = await failingGateway('timeout_after_success')
  const impatient = stripeFor(own.gateway, { timeout: 50 })
  const error = await failureOf(own.refund(impatient))
  assert.deepEqual(
    { type: error.type, refundCount: own.refundCount() },
    { type: 'StripeConnectionError', refundCount: 1 },
  )
  assert.equal((await own.refund()).status, 'succeeded')
  assert.equal(own.refundCount(), 1)
})

test('timeout_after_success with a delay ends in a reset', async () => {
  // Two faults, because the library retries once after a closed connection.
  await using own = await failingGateway('timeout_after_success', { delay_ms: 1, times: 2 })
  assert.equal((await failureOf(own.refund())).type, 'StripeConnectionError')
  assert.equal(own.refundCount(), 1)
})

test('refuse: a reset connection, nothing applied', async () => {
  await using own = await failingGateway('refuse', { times: 2 })
  assert.equal((await failureOf(own.refund())).type, 'StripeConnectionError')
  assert.equal(own.refundCount(), 0)
  assert.equal((await own.refund()).status, 'succeeded')
})

test('decline: a final refusal that a retry with the same key returns again', async () => {
  await using own = await failingGateway('decline')
  assert.equal((await failureOf(own.refund())).code, 'charge_disputed')
  assert.equal((await failureOf(own.refund())).code, 'charge_disputed')
  assert.equal(own.refundCount(), 0)
})

test('slow: applied although the client has timed out', async () => {
  await using own = await failingGateway('slow', { delay_ms: 60 })
  const error = await failureOf(own.refund(stripeFor(own.gateway, { timeout: 20 })))
  assert.equal(error.type, 'StripeConnectionError')
  await own.gateway.waitFor('applied', { path: '/v1/refunds' })
  assert.equal(own.refundCount(), 1)
})

test('hang_before: a refund is applied when the test releases it, not before', async () => {
  await using own = await failingGateway('hang_before')
  const refund = own.refund()
  await own.gateway.waitFor('received', { path: '/v1/refunds' })
  assert.equal(own.refundCount(), 0)
  assert.equal(await own.gateway.release(), 1)
  assert.equal((await refund).status, 'succeeded')
})

test('hang_before: a refund whose client disconnects is never applied', async () => {
  await using own = await failingGateway('hang_before')
  const { port } = new URL(own.gateway.url)
  const [intent] = own.gateway.ledger().payment_intents
  const headers = {
    authorization: `Bearer ${own.gateway.secretKey}`,
    'idempotency-key': 'refund-1',
    'x-worker': 'w-1',
  }
  const killed = request({ port, host: '127.0.0.1', path: '/v1/refunds', method: 'POST', headers })
  killed.on('error', () => undefined)
  killed.end(`payment_intent=${intent?.id}&amount=100`)
  const { worker } = await own.gateway.waitFor('received', { path: '/v1/refunds' })
  killed.destroy()

  // The key is free again as soon as the gateway has noticed.
  let retried: Awaited<ReturnType<typeof own.refund>> | undefined
  while (!retried) {
    retried = await own.refund().catch((error) => {
      assert.equal(error.code, 'idempotency_key_in_use')
      return undefined
    })
  }
  assert.equal(worker, 'w-1')
  assert.equal(retried.lastResponse.headers['idempotent-replayed'], undefined)
  assert.equal(own.refundCount(), 1)
})

test('hang_after: applied; the response is held until released', async () => {
  await using own = await failingGateway('hang_after')
  const refund = own.refund()
  const { status } = await own.gateway.waitFor('applied', { path: '/v1/refunds' })
  assert.deepEqual({ status, refundCount: own.refundCount() }, { status: 200, refundCount: 1 })
  assert.equal((await own.refund()).lastResponse.headers['idempotent-replayed'], 'true')
  await own.gateway.release()
  assert.equal((await refund).status, 'succeeded')
})

test('a fault applies to one path, as many times as configured', async () => {
  await using own = await openGateway()
  own.gateway.faults.set({ on: 'POST /v1/payment_intents/:id/confirm', mode: 'decline', times: 2 })
  const codes = []
  for (let n = 0; n < 3; n++)
    codes.push((await paidIntent(own.stripe).catch((error) => error)).code ?? 'paid')
  assert.deepEqual(codes, ['card_declined', 'card_declined', 'paid'])
})

test('listeners receive each step in order', async () => {
  await using own = await openGateway()
  const steps: string[] = []
  for (const phase of ['received', 'applied', 'replied'] as const) {
    own.gateway.on(phase, ({ path: at, phase: step }) => steps.push(`${step} ${at}`))
  }
  await own.stripe.customers.create({ email: 'ann@example.com' })
  await own.gateway.waitFor('replied')
  assert.deepEqual(steps, ['received /v1/customers', 'applied /v1/customers', 'replied /v1/customers'])
})

test('a gateway process is controlled over HTTP', async () => {
  const { child, url } = await startAsProcess()
  const control = async (method: string, at: string, body?: unknown) => {
    const response = await fetch(`${url}/_sandbox/${at}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await response.json()) as Record<string, unknown[]>
  }
  const create = () =>
    fetch(`${url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_mine', 'idempotency-key': 'k' },
      body: 'amount=100&currency=eur',
    })

  await control('POST', 'faults', { on: 'POST /v1/payment_intents', mode: 'hang_before' })
  const arrived = control('GET', 'arrivals?phase=received')
  const created = create()
  const [arrival] = (await arrived).arrivals as { seq: number; idempotency_key: string }[]
  assert.equal(arrival?.idempotency_key, 'k')
  assert.equal((await control('GET', 'faults')).faults?.length, 1)
  assert.deepEqual(await control('DELETE', 'faults'), { faults: [] })
  assert.equal((await control('POST', 'release')).released as unknown, 1)
  assert.equal((await created).status, 200)
  const later = await control('GET', `arrivals?after=${arrival?.seq}&phase=replied`)
  assert.equal(later.arrivals?.length, 1)
  assert.equal((await control('GET', 'ledger')).payment_intents?.length, 1)
  const wrong = await fetch(`${url}/_sandbox/faults`, { method: 'POST', body: '{"on":"x","mode":"slow"}' })
  assert.equal(wrong.status, 400)

  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

async function startAsProcess() {
  const file = path.join(import.meta.dirname, '../sandbox/gateway/server.ts')
  const env = { ...process.env, GATEWAY_PORT: '0', GATEWAY_SECRET_KEY: 'sk_test_mine' }
  const child: ChildProcess = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  if (!child.stdout) throw new Error('no output')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, url: line.replace('payment gateway: ', '') }
}
