import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { startGateway } from '#test/sandbox/gateway/gateway.ts'
import { failureOf, newIntent, openGateway, paidIntent, stripeFor } from './gateway-fixture.ts'

test('the same key and parameters replay the first response', async () => {
  await using own = await openGateway()
  const { id } = await paidIntent(own.stripe)
  const refund = () =>
    own.stripe.refunds.create({ payment_intent: id, amount: 100 }, { idempotencyKey: 'k-1' })
  const first = await refund()
  const second = await refund()
  assert.equal(second.id, first.id)
  assert.equal(second.lastResponse.headers['idempotent-replayed'], 'true')
  assert.equal(second.lastResponse.headers['original-request'], first.lastResponse.requestId)
  assert.equal(own.gateway.ledger().refunds.length, 1)
})

test('a decline is replayed too', async () => {
  await using own = await openGateway()
  const { id } = await newIntent(own.stripe)
  const confirm = () =>
    own.stripe.paymentIntents.confirm(
      id,
      { payment_method: 'pm_card_chargeDeclined' },
      { idempotencyKey: 'k-2' },
    )
  const first = await failureOf(confirm())
  const second = await failureOf(confirm())
  assert.partialDeepStrictEqual(second, { code: first.code, charge: first.charge })
  assert.equal(own.gateway.ledger().charges.length, 1)
})

test('a request that never started leaves its key unused', async () => {
  await using own = await openGateway()
  await failureOf(newIntent(own.stripe, 0).then(() => undefined))
  const { id } = await paidIntent(own.stripe)
  const bad = own.stripe.refunds.create({ payment_intent: id, amount: -1 }, { idempotencyKey: 'k-3' })
  assert.equal((await failureOf(bad)).statusCode, 400)
  await own.stripe.refunds.create({ payment_intent: id, amount: 1 }, { idempotencyKey: 'k-3' })
})

test('the same key with other parameters is refused', async () => {
  await using own = await openGateway()
  const { id } = await paidIntent(own.stripe)
  await own.stripe.refunds.create({ payment_intent: id, amount: 100 }, { idempotencyKey: 'k' })
  const other = own.stripe.refunds.create({ payment_intent: id, amount: 200 }, { idempotencyKey: 'k' })
  const error = await failureOf(other)
  assert.partialDeepStrictEqual(error, { type: 'StripeIdempotencyError', statusCode: 400 })
})

test('a key whose first request is still running returns 409', async () => {
  await using own = await openGateway()
  const { gateway, stripe } = own
  const { id } = await paidIntent(stripe)
  gateway.faults.set({ on: 'POST /v1/refunds', mode: 'hang_before', times: 1 })
  const refund = () => stripe.refunds.create({ payment_intent: id }, { idempotencyKey: 'k' })
  const first = refund()
  await gateway.waitFor('received', { path: '/v1/refunds' })
  const error = await failureOf(refund())
  assert.partialDeepStrictEqual(error, { statusCode: 409, code: 'idempotency_key_in_use' })
  await gateway.release()
  assert.equal((await refund()).id, (await first).id)
})

test('control: without a key a retry makes a second refund', async () => {
  await using own = await openGateway({ ignoreIdempotencyKeys: true })
  const { id } = await paidIntent(own.stripe)
  const refund = () => own.stripe.refunds.create({ payment_intent: id, amount: 100 }, { idempotencyKey: 'k' })
  await refund()
  await refund()
  assert.equal(own.gateway.ledger().refunds.length, 2)
})

test('payments and keys survive a restart, even with a truncated last line', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-gateway-'))
  const stateFile = path.join(folder, 'state.jsonl')
  const first = await startGateway({ stateFile })
  const { id } = await paidIntent(stripeFor(first))
  const refund = (gateway: typeof first) =>
    stripeFor(gateway).refunds.create({ payment_intent: id, amount: 100 }, { idempotencyKey: 'k' })
  const refunded = await refund(first)
  await first.stop()
  await writeFile(stateFile, '[{"table":"refunds","row":{"id":"re_half', { flag: 'a' })

  const second = await startGateway({ stateFile })
  assert.equal((await refund(second)).id, refunded.id)
  await stripeFor(second).refunds.create({ payment_intent: id, amount: 5 })
  const before = second.ledger()
  await second.stop()

  const third = await startGateway({ stateFile })
  assert.deepEqual(third.ledger(), before)
  assert.deepEqual(
    before.refunds.map(({ amount }) => amount),
    [100, 5],
  )
  await third.stop()
  await rm(folder, { recursive: true })
})
