import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type Stripe from 'stripe'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { startGateway } from '#test/sandbox/gateway/gateway.ts'
import { startReceiver } from '#test/sandbox/receiver.ts'
import { failureOf, newIntent, openGateway, paidIntent, stripeFor } from './gateway-fixture.ts'

const SECRET = 'whsec_test'

/** A gateway with a receiver that verifies its webhooks with the official library. */
async function listeningGateway() {
  const receiver = await startReceiver()
  const gateway = await startGateway({
    webhookUrls: [receiver.hookUrl('stripe')],
    webhookSecret: SECRET,
    webhookFirstRetryMs: 1,
  })
  const stripe = stripeFor(gateway)
  const events = (): Stripe.Event[] =>
    receiver
      .requests('stripe')
      .filter(({ status }) => status === 200)
      .map(({ body, headers }) =>
        stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), SECRET),
      )
  const dispose = async () => {
    await gateway.stop()
    await receiver.stop()
  }
  return { gateway, receiver, stripe, events, [Symbol.asyncDispose]: dispose }
}

const typesOf = (events: Stripe.Event[]) => events.map(({ type }) => type).sort()

test('a payment and its refund send signed events', async () => {
  await using own = await listeningGateway()
  const { id } = await paidIntent(own.stripe)
  const refund = await own.stripe.refunds.create({ payment_intent: id, amount: 5 }, { idempotencyKey: 'k' })
  await own.gateway.webhooks.settled()

  const events = own.events()
  assert.deepEqual(typesOf(events), [
    'charge.refunded',
    'charge.succeeded',
    'payment_intent.created',
    'payment_intent.succeeded',
    'refund.created',
    'refund.updated',
  ])
  const created = events.find(({ type }) => type === 'refund.created')
  assert.equal((created?.data.object as Stripe.Refund | undefined)?.id, refund.id)
  assert.match(created?.id ?? '', /^evt_/)
  assert.deepEqual(
    {
      object: created?.object,
      livemode: created?.livemode,
      idempotency_key: created?.request?.idempotency_key,
    },
    { object: 'event', livemode: false, idempotency_key: 'k' },
  )
})

test('declines, cancellations and bank authentications send events', async () => {
  await using own = await listeningGateway()
  const { id } = await newIntent(own.stripe)
  await failureOf(own.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }))
  await own.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_authenticationRequired' })
  await own.stripe.paymentIntents.cancel(id)
  await own.gateway.webhooks.settled()
  assert.deepEqual(typesOf(own.events()), [
    'charge.failed',
    'payment_intent.canceled',
    'payment_intent.created',
    'payment_intent.payment_failed',
    'payment_intent.requires_action',
  ])
})

test('a replayed response sends no event', async () => {
  await using own = await listeningGateway()
  const { id } = await paidIntent(own.stripe)
  for (let n = 0; n < 2; n++) await own.stripe.refunds.create({ payment_intent: id }, { idempotencyKey: 'k' })
  await own.gateway.webhooks.settled()
  assert.equal(own.events().filter(({ type }) => type === 'refund.created').length, 1)
})

test('an event is resent unchanged until it is accepted', async () => {
  await using own = await listeningGateway()
  own.receiver.behave('stripe', { status: 500, times: 3 })
  await newIntent(own.stripe)
  await own.gateway.webhooks.settled()
  assert.deepEqual(
    own.gateway.webhooks.deliveries.map(({ status }) => status),
    [500, 500, 500, 200],
  )
  const ids = own.receiver.requests('stripe').map(({ body }) => (JSON.parse(body) as { id: string }).id)
  assert.equal(new Set(ids).size, 1)
})

test('an event is dropped after the last attempt', async () => {
  const receiver = await startReceiver()
  receiver.behave('stripe', { drop: true })
  const webhookUrls = [receiver.hookUrl('stripe')]
  await using own = await openGateway({ webhookUrls, webhookAttempts: 3, webhookFirstRetryMs: 1 })
  await newIntent(own.stripe)
  await own.gateway.webhooks.settled()
  assert.equal(own.gateway.webhooks.deliveries.length, 3)
  await receiver.stop()
})

test('a paused gateway holds events; resend sends one again', async () => {
  await using own = await listeningGateway()
  own.gateway.webhooks.pause()
  await newIntent(own.stripe)
  assert.equal(own.gateway.webhooks.waiting, 1)
  own.gateway.webhooks.resume()
  await own.gateway.webhooks.settled()
  const [event] = own.events()
  own.gateway.resend(event?.id ?? '')
  await own.gateway.webhooks.settled()
  assert.deepEqual(
    own.events().map(({ id }) => id),
    [event?.id, event?.id],
  )
})

test('events that were not delivered before a restart are delivered after it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-gateway-'))
  const receiver = await startReceiver()
  const options = { stateFile: path.join(folder, 'state.jsonl'), webhookUrls: [receiver.hookUrl('stripe')] }
  const first = await startGateway(options)
  first.webhooks.pause()
  await newIntent(stripeFor(first))
  await first.stop()

  const second = await startGateway(options)
  await second.webhooks.settled()
  await second.stop()
  const third = await startGateway(options)
  assert.equal(third.webhooks.waiting, 0)
  assert.equal(receiver.requests('stripe').length, 1)
  await third.stop()
  await receiver.stop()
  await rm(folder, { recursive: true })
})

test('missed events can be listed', async () => {
  await using own = await openGateway()
  await paidIntent(own.stripe)
  const { data } = await own.stripe.events.list({ type: 'payment_intent.succeeded' })
  assert.equal(data.length, 1)
  assert.equal((await own.stripe.events.retrieve(data[0]?.id ?? '')).type, 'payment_intent.succeeded')
})

test('an event that is lost is not delivered, and stays in the list of events', async () => {
  await using own = await listeningGateway()
  const control = (path: string, body: object) =>
    fetch(`${own.gateway.url}/_sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) })
  await control('webhooks/lose', { types: ['refund.created', 'charge.dispute.created'] })
  const { id: payment_intent } = await paidIntent(own.stripe)

  await control('refunds', { payment_intent, amount: 5 })
  const opened = (await (await control('disputes', { payment_intent })).json()) as Stripe.Dispute
  await control(`disputes/${opened.id}`, { status: 'won' })
  await own.gateway.webhooks.settled()

  const delivered = typesOf(own.events())
  assert.ok(delivered.includes('charge.dispute.closed'))
  assert.ok(!delivered.includes('refund.created') && !delivered.includes('charge.dispute.created'))
  const { data: listed } = await own.stripe.events.list({
    types: ['refund.created', 'charge.dispute.created'],
  })
  assert.deepEqual(typesOf(listed), ['charge.dispute.created', 'refund.created'])
})

test('a disputed charge cannot be refunded until the dispute is won', async () => {
  await using own = await listeningGateway()
  const { id: payment_intent } = await paidIntent(own.stripe)
  const dispute = own.gateway.change((desk) => openDispute(desk, { payment_intent }))
  const refund = () => own.stripe.refunds.create({ payment_intent, amount: 5 })

  const refused = await failureOf(refund())
  own.gateway.change((desk) => changeDispute(desk, dispute.id, 'won'))
  const made = await refund()

  assert.equal(refused.code, 'charge_disputed')
  assert.equal(made.status, 'succeeded')
})
