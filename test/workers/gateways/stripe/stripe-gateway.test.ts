import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { newId } from '#shared/platform/db/id.ts'
import { gateway as sandbox } from '#test/support/processes/gateway.ts'
import { GatewayRefusal } from '#workers/gateways/payments.ts'
import { stripe } from '#workers/gateways/stripe/stripe-client.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'

const gateway = stripeGateway()
const REFUNDS = 'POST /v1/refunds'

beforeEach(() => sandbox.faults.clear())

const open = (amountMinor = 2_500n) =>
  gateway.openPayment({ idempotencyKey: newId(), amountMinor, currency: 'EUR', metadata: { store_id: 's' } })

async function paid(card = 'pm_card_visa') {
  const { reference } = await open()
  await stripe().paymentIntents.confirm(reference, { payment_method: card })
  return reference
}

const refund = (paymentReference: string, refundId = newId(), amountMinor = 1_000n) =>
  gateway.refund({
    idempotencyKey: refundId,
    paymentReference,
    amountMinor,
    currency: 'EUR',
    metadata: { refund_id: refundId },
  })

const refundsOf = (reference: string) =>
  sandbox.ledger().refunds.filter(({ payment_intent }) => payment_intent === reference)

test('a payment is opened once for each key, with the exact amount', async () => {
  const payment = {
    idempotencyKey: newId(),
    amountMinor: 2_500n,
    currency: 'EUR',
    metadata: { store_id: 's' },
  }

  const [first, second] = [await gateway.openPayment(payment), await gateway.openPayment(payment)]

  assert.deepEqual(second, first)
  const intent = sandbox.ledger().payment_intents.find(({ id }) => id === first.reference)
  assert.deepEqual(
    { amount: intent?.amount, currency: intent?.currency, store_id: intent?.metadata.store_id },
    { amount: 2_500, currency: 'eur', store_id: 's' },
  )
})

test('a refund repeated with its key moves money once', async () => {
  const reference = await paid()
  const id = newId()

  const [first, second] = [await refund(reference, id), await refund(reference, id)]

  assert.equal(first.status, 'succeeded')
  assert.deepEqual(second, first)
  assert.equal(refundsOf(reference).length, 1)
})

test('a definite refusal has its reason', async () => {
  const reference = await paid()

  await assert.rejects(refund(reference, newId(), 2_501n), {
    name: 'GatewayRefusal',
    reason: 'amount_too_large',
  })
})

test('canceling a paid payment is a refusal', async () => {
  const reference = await paid()

  await assert.rejects(gateway.cancelPayment(reference), {
    reason: 'payment_intent_unexpected_state',
  })
})

for (const mode of ['error_before', 'error_after', 'refuse'] as const)
  test(`${mode} leaves the outcome unknown and is not a refusal`, async () => {
    const reference = await paid()
    // Twice: the library repeats a closed connection once by itself.
    sandbox.faults.set({ on: REFUNDS, mode, times: 2 })

    await assert.rejects(refund(reference), (error) => !(error instanceof GatewayRefusal))
  })

test('a key reused for another request leaves the outcome unknown', async () => {
  const reference = await paid()
  const id = newId()
  await refund(reference, id, 1_000n)

  await assert.rejects(refund(reference, id, 999n), (error) => !(error instanceof GatewayRefusal))
})

test('a refund is listed with its payment and read by its reference', async () => {
  const reference = await paid('pm_card_pendingRefund')
  const id = newId()
  const made = await refund(reference, id)

  assert.equal(made.status, 'pending')
  assert.partialDeepStrictEqual(await gateway.listRefunds(reference), [
    { ...made, refundId: id, paymentReference: reference, amountMinor: 1_000n, currency: 'EUR' },
  ])
  assert.deepEqual(await gateway.readRefund(made.reference), made)
})
