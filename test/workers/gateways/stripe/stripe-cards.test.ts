import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { newId } from '#shared/platform/db/id.ts'
import { MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { finishAuthentication } from '#test/sandbox/gateway/charge-intent.ts'
import { changeBehaviour } from '#test/sandbox/gateway/payment-methods.ts'
import { finishSetup } from '#test/sandbox/gateway/setup-intents.ts'
import { gateway as sandbox } from '#test/support/processes/gateway.ts'
import { GatewayRefusal } from '#workers/gateways/payments.ts'
import { stripe } from '#workers/gateways/stripe/stripe-client.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'

const gateway = stripeGateway()

beforeEach(() => sandbox.faults.clear())

const newCustomer = async () =>
  (await gateway.createCustomer({ idempotencyKey: newId(), metadata: { store_id: 's' } })).reference

const openSetup = (customer: string) =>
  gateway.openSetup({ idempotencyKey: newId(), customer, metadata: { store_id: 's' } })

async function saved(card = 'pm_card_visa') {
  const customer = await newCustomer()
  const { reference } = await openSetup(customer)
  const setup = await stripe().setupIntents.confirm(reference, { payment_method: card })
  if (setup.status === 'requires_action')
    sandbox.change((context) => finishSetup(context, setupAt(reference), true))
  const found = await gateway.readSetup(reference)
  assert.ok(found.status === 'succeeded')
  return { customer, cardReference: found.cardReference }
}

function setupAt(reference: string) {
  const setup = sandbox.ledger().setup_intents.find(({ id }) => id === reference)
  assert.ok(setup)
  return setup
}

const charge = (
  card: { customer: string; cardReference: string },
  idempotencyKey = newId(),
  amountMinor = 2_500n,
) =>
  gateway.chargeSavedCard({
    ...card,
    idempotencyKey,
    amountMinor,
    currency: 'EUR',
    metadata: { payment_id: idempotencyKey },
  })

const open = (customer?: string) =>
  gateway.openPayment({
    idempotencyKey: newId(),
    amountMinor: 2_500n,
    currency: 'EUR',
    metadata: { store_id: 's' },
    customer,
  })

const chargesOf = (customer: string) => sandbox.ledger().charges.filter((made) => made.customer === customer)

test('a customer is created once for each key', async () => {
  const customer = { idempotencyKey: newId(), metadata: { store_id: 's' } }

  const [first, second] = [await gateway.createCustomer(customer), await gateway.createCustomer(customer)]

  assert.deepEqual(second, first)
  assert.partialDeepStrictEqual(await stripe().customers.retrieve(first.reference), {
    metadata: { store_id: 's' },
  })
})

test('a payment that is opened for a customer saves its card when it succeeds', async () => {
  const customer = await newCustomer()
  const { reference } = await open(customer)
  const unpaid = await gateway.readPayment(reference)

  await stripe().paymentIntents.confirm(reference, { payment_method: 'pm_card_visa' })

  const { cardReference, ...status } = await gateway.readPayment(reference)
  assert.deepEqual(unpaid, { status: 'open', reason: null, cardReference: null })
  assert.deepEqual(status, { status: 'captured', reference, amountMinor: 2_500n, currency: 'EUR' })
  assert.equal((await charge({ customer, cardReference: cardReference ?? '' })).status, 'succeeded')
})

test('a payment without a customer saves no card', async () => {
  const { reference } = await open()

  await stripe().paymentIntents.confirm(reference, { payment_method: 'pm_card_visa' })

  assert.partialDeepStrictEqual(await gateway.readPayment(reference), {
    status: 'captured',
    cardReference: null,
  })
})

test('a setup is opened once for each key, and has a card once it succeeded', async () => {
  const setup = { idempotencyKey: newId(), customer: await newCustomer(), metadata: { store_id: 's' } }

  const [first, second] = [await gateway.openSetup(setup), await gateway.openSetup(setup)]
  const before = await gateway.readSetup(first.reference)
  await stripe().setupIntents.confirm(first.reference, { payment_method: 'pm_card_mastercard' })
  const after = await gateway.readSetup(first.reference)

  assert.deepEqual(second, first)
  assert.deepEqual(before, { status: 'open' })
  assert.ok(after.status === 'succeeded')
  const { brand, last4, ...expiry } = await gateway.readCard(after.cardReference)
  assert.deepEqual({ brand, last4 }, { brand: 'mastercard', last4: '4444' })
  assert.deepEqual(expiry, { expMonth: 12, expYear: new Date().getUTCFullYear() + 2 })
})

test('a declined card leaves a setup open', async () => {
  const { reference } = await openSetup(await newCustomer())
  await assert.rejects(
    stripe().setupIntents.confirm(reference, { payment_method: 'pm_card_chargeDeclined' }),
    { code: 'card_declined' },
  )
  assert.deepEqual(await gateway.readSetup(reference), { status: 'open' })
})

test('an open setup is canceled; one that succeeded is a refusal', async () => {
  const customer = await newCustomer()
  const [canceled, done] = [await openSetup(customer), await openSetup(customer)]
  await stripe().setupIntents.confirm(done.reference, { payment_method: 'pm_card_visa' })

  await gateway.cancelSetup(canceled.reference)

  assert.deepEqual(await gateway.readSetup(canceled.reference), { status: 'canceled' })
  await assert.rejects(gateway.cancelSetup(done.reference), {
    name: 'GatewayRefusal',
    reason: 'setup_intent_unexpected_state',
  })
})

for (const card of ['pm_card_visa', 'pm_card_authenticationRequiredOnSetup'])
  test(`${card} is charged once for each key`, async () => {
    const owned = await saved(card)
    const key = newId()

    const [first, second] = [await charge(owned, key), await charge(owned, key)]

    assert.equal(first.status, 'succeeded')
    assert.deepEqual(second, first)
    assert.equal(chargesOf(owned.customer).length, 1)
    assert.deepEqual(await gateway.readPayment(first.reference), {
      status: 'captured',
      reference: first.reference,
      amountMinor: 2_500n,
      currency: 'EUR',
      cardReference: owned.cardReference,
    })
  })

for (const { card, status, declineCode } of [
  { card: 'pm_card_chargeCustomerFail', status: 'declined', declineCode: 'generic_decline' },
  {
    card: 'pm_card_authenticationRequired',
    status: 'authentication_required',
    declineCode: 'authentication_required',
  },
])
  test(`${card} is ${status}, once for each key`, async () => {
    const owned = await saved(card)
    const key = newId()

    const [first, second] = [await charge(owned, key), await charge(owned, key)]

    assert.partialDeepStrictEqual(first, { status, declineCode })
    assert.ok(first.clientSecret.startsWith(`${first.reference}_secret_`))
    assert.deepEqual(second, first)
    assert.equal(chargesOf(owned.customer).length, 1)
    assert.deepEqual(await gateway.readPayment(first.reference), {
      status: 'open',
      reason: declineCode,
      cardReference: null,
    })
  })

test('a saved card without funds is declined with its reason, and charged later', async () => {
  const owned = await saved()
  const behave = (charges: 'decline' | 'succeed') =>
    sandbox.change((context) =>
      changeBehaviour(context, owned.cardReference, { charges, decline_code: 'insufficient_funds' }),
    )

  behave('decline')
  const declined = await charge(owned)
  behave('succeed')
  const paid = await charge(owned)

  assert.partialDeepStrictEqual(declined, { status: 'declined', declineCode: 'insufficient_funds' })
  assert.equal(paid.status, 'succeeded')
})

test('the buyer pays a declined charge; a repeat still returns the decline and charges nothing', async () => {
  const owned = await saved('pm_card_authenticationRequired')
  const key = newId()
  const { reference } = await charge(owned, key)

  await stripe().paymentIntents.confirm(reference, { payment_method: owned.cardReference })
  sandbox.change((context) => {
    const intent = context.books.find('payment_intents', reference)
    assert.ok(intent)
    return finishAuthentication(context, intent, true)
  })
  const repeat = await charge(owned, key)

  assert.deepEqual(
    { reference: repeat.reference, status: repeat.status },
    { reference, status: 'authentication_required' },
  )
  assert.partialDeepStrictEqual(await gateway.readPayment(reference), {
    status: 'captured',
    cardReference: owned.cardReference,
  })
  assert.equal(chargesOf(owned.customer).filter(({ paid }) => paid).length, 1)
})

test('a charge of a detached card, of another customer or below the minimum is a refusal', async () => {
  const [detached, owned] = [await saved(), await saved()]
  await gateway.detachCard(detached.cardReference)
  const refusal = { name: 'GatewayRefusal' }

  await assert.rejects(charge(detached), refusal)
  await assert.rejects(charge({ ...owned, customer: detached.customer }), refusal)
  await assert.rejects(charge(owned, newId(), 49n), { ...refusal, reason: 'amount_too_small' })

  assert.equal([detached, owned].flatMap(({ customer }) => chargesOf(customer)).length, 0)
})

for (const mode of ['error_before', 'error_after', 'refuse'] as const)
  test(`${mode} leaves the outcome of a charge unknown; the repeat charges once`, async () => {
    const owned = await saved()
    const key = newId()
    // Twice: the library repeats a closed connection once by itself.
    sandbox.faults.set({ on: 'POST /v1/payment_intents', mode, times: mode === 'refuse' ? 2 : 1 })

    await assert.rejects(charge(owned, key), (error) => !(error instanceof GatewayRefusal))

    assert.equal((await charge(owned, key)).status, 'succeeded')
    assert.equal(chargesOf(owned.customer).length, 1)
  })

test('concurrent charges with one key move money once; control: with five keys, five times', async () => {
  const [owned, control] = [await saved(), await saved()]
  const key = newId()
  const five = Array.from({ length: 5 }, newId)
  // Slow, so that they overlap.
  sandbox.faults.set({ on: 'POST /v1/payment_intents', mode: 'slow', delay_ms: 50 })

  const results = await Promise.allSettled(five.map(() => charge(owned, key)))
  await Promise.all(five.map((other) => charge(control, other)))

  for (const result of results)
    if (result.status === 'rejected') assert.ok(!(result.reason instanceof GatewayRefusal))
  assert.equal((await charge(owned, key)).status, 'succeeded')
  assert.equal(chargesOf(owned.customer).length, 1)
  assert.equal(chargesOf(control.customer).length, 5)
})

test('a card is detached once; a repeat changes nothing', async () => {
  const { customer, cardReference } = await saved()

  await gateway.detachCard(cardReference)
  await gateway.detachCard(cardReference)

  assert.equal((await stripe().paymentMethods.list({ customer })).data.length, 0)
  assert.equal((await gateway.readCard(cardReference)).last4, '4242')
  await assert.rejects(gateway.detachCard('pm_unknown'), { reason: 'resource_missing' })
})

test('a payment of a customer is found by its metadata', async () => {
  const [owned, other] = [await saved(), await saved('pm_card_chargeCustomerFail')]
  const [paidKey, declinedKey] = [newId(), newId()]
  const before = new Date(now().getTime() - MINUTE_MS)
  const find = (customer: string, payment_id: string, since = before) =>
    gateway.findPayment({ customer, since, metadata: { payment_id } })

  const [paid, declined] = [await charge(owned, paidKey), await charge(other, declinedKey)]
  await charge(owned)

  const { reference, clientSecret } = paid
  assert.deepEqual(await find(owned.customer, paidKey), { reference, clientSecret })
  assert.equal((await find(other.customer, declinedKey))?.reference, declined.reference)
  assert.equal(await find(other.customer, paidKey), null)
  assert.equal(await find(owned.customer, paidKey, new Date(now().getTime() + MINUTE_MS)), null)
})

test('events of setups and of charges of saved cards are listed by their types', async () => {
  const since = new Date(now().getTime() - MINUTE_MS)
  const { customer, cardReference } = await saved('pm_card_chargeCustomerFail')
  const { reference: canceled } = await openSetup(customer)
  await gateway.cancelSetup(canceled)
  const { reference: declined } = await charge({ customer, cardReference })
  const types = ['setup_intent.succeeded', 'setup_intent.canceled', 'payment_intent.payment_failed']

  const events = await Array.fromAsync(gateway.listNotifications({ since, types }))

  const ofCustomer = events.filter(({ object }) => object.customer === customer)
  assert.deepEqual(ofCustomer.map(({ type }) => type).sort(), types.toSorted())
  const objectOf = (type: string) => ofCustomer.find((event) => event.type === type)?.object
  assert.partialDeepStrictEqual(objectOf('setup_intent.succeeded'), {
    object: 'setup_intent',
    status: 'succeeded',
    payment_method: cardReference,
    metadata: { store_id: 's' },
  })
  assert.equal(objectOf('setup_intent.canceled')?.id, canceled)
  assert.partialDeepStrictEqual(objectOf('payment_intent.payment_failed'), {
    id: declined,
    last_payment_error: { code: 'card_declined' },
  })
})
