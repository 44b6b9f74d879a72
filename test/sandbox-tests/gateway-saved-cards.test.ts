import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type Stripe from 'stripe'
import { failureOf, newIntent, openGateway } from './gateway-fixture.ts'

const { gateway, stripe } = await openGateway()
after(() => gateway.stop())

const newCustomer = () => stripe.customers.create({ metadata: { account: 'a-1' } })

async function control(path: string, body: object) {
  const response = await fetch(`${gateway.url}/_sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(response.status, 200)
}

/** Saves a card with a setup intent; the cardholder authenticates when the bank asks. */
async function savedCard(card: string, customer: string): Promise<string> {
  const { id } = await stripe.setupIntents.create({ customer, usage: 'off_session' })
  const { status } = await stripe.setupIntents.confirm(id, { payment_method: card })
  if (status === 'requires_action') await control(`setup_intents/${id}/authenticate`, { outcome: 'agree' })
  return (await stripe.setupIntents.retrieve(id)).payment_method as string
}

const charge = (customer: string, payment_method: string, idempotencyKey?: string) =>
  stripe.paymentIntents.create(
    {
      amount: 900,
      currency: 'eur',
      customer,
      payment_method,
      off_session: true,
      confirm: true,
      allowed_payment_method_types: ['card'],
    },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  )

const methodsOf = async (customer: string) =>
  (await stripe.paymentMethods.list({ customer, type: 'card' })).data.map(({ id }) => id)

test('a customer is created, changed and deleted', async () => {
  const { id } = await stripe.customers.create({ email: 'ann@example.com', metadata: { a: '1' } })

  const changed = await stripe.customers.update(id, { name: 'Ann', metadata: { b: '2' } })
  const deleted = await stripe.customers.del(id)

  assert.partialDeepStrictEqual(changed, {
    object: 'customer',
    email: 'ann@example.com',
    name: 'Ann',
    metadata: { a: '1', b: '2' },
    invoice_settings: { default_payment_method: null },
  })
  assert.partialDeepStrictEqual(deleted, { id, object: 'customer', deleted: true })
  assert.partialDeepStrictEqual(await stripe.customers.retrieve(id), { id, deleted: true })
  assert.equal((await failureOf(stripe.customers.update(id, { name: 'x' }))).statusCode, 404)
  assert.equal((await failureOf(newIntent(stripe, 900, { customer: id }))).code, 'resource_missing')
  assert.ok(!(await stripe.customers.list({ limit: 100 })).data.some((customer) => customer.id === id))
})

for (const [name, brand, last4] of [
  ['pm_card_visa', 'visa', '4242'],
  ['pm_card_mastercard', 'mastercard', '4444'],
] as const)
  test(`${name} is attached as a new ${brand} card, listed and detached`, async () => {
    const { id: customer } = await newCustomer()

    const [first, second] = [
      await stripe.paymentMethods.attach(name, { customer }),
      await stripe.paymentMethods.attach(name, { customer }),
    ]

    assert.partialDeepStrictEqual(first, { object: 'payment_method', type: 'card', customer })
    assert.partialDeepStrictEqual(first.card, { brand, last4, exp_month: 12 })
    assert.ok((first.card?.exp_year ?? 0) > new Date().getUTCFullYear())
    assert.equal(first.card?.fingerprint, second.card?.fingerprint)
    assert.deepEqual(await methodsOf(customer), [second.id, first.id])
    assert.equal((await stripe.paymentMethods.detach(first.id)).customer, null)
    assert.deepEqual(await methodsOf(customer), [second.id])
    const ofCustomer = await stripe.customers.listPaymentMethods(customer)
    assert.deepEqual(
      ofCustomer.data.map(({ id }) => id),
      [second.id],
    )
  })

test('a detached card cannot be detached, charged or attached again', async () => {
  const { id: customer } = await newCustomer()
  const card = await savedCard('pm_card_visa', customer)
  await stripe.paymentMethods.detach(card)

  const failures = [
    await failureOf(stripe.paymentMethods.detach(card)),
    await failureOf(charge(customer, card)),
    await failureOf(stripe.paymentMethods.attach(card, { customer })),
  ]

  assert.deepEqual(
    failures.map(({ type, statusCode }) => ({ type, statusCode })),
    failures.map(() => ({ type: 'StripeInvalidRequestError', statusCode: 400 })),
  )
  assert.match(failures[0]?.message ?? '', /detachment is impossible/)
  assert.match(failures[1]?.message ?? '', /may not be used again/)
})

test('the default card of a customer is one of theirs, and none once it is detached', async () => {
  const { id: customer } = await newCustomer()
  const [card, strange] = [
    await savedCard('pm_card_visa', customer),
    await savedCard('pm_card_visa', (await newCustomer()).id),
  ]
  const setDefault = (default_payment_method: string) =>
    stripe.customers.update(customer, { invoice_settings: { default_payment_method } })

  const refused = await failureOf(setDefault(strange))
  const changed = await setDefault(card)
  await stripe.paymentMethods.detach(card)

  assert.equal(refused.code, 'resource_missing')
  assert.equal(changed.invoice_settings.default_payment_method, card)
  const { invoice_settings } = (await stripe.customers.retrieve(customer)) as Stripe.Customer
  assert.equal(invoice_settings.default_payment_method, null)
})

test('a card of another customer, or of a customer that is not named, is refused', async () => {
  const card = await savedCard('pm_card_visa', (await newCustomer()).id)
  const { id: other } = await newCustomer()

  const [foreign, unnamed] = [
    await failureOf(charge(other, card)),
    await failureOf(newIntent(stripe, 900, { payment_method: card, confirm: true })),
  ]

  for (const { statusCode, param } of [foreign, unnamed])
    assert.deepEqual({ statusCode, param }, { statusCode: 400, param: 'payment_method' })
})

test('deleting a customer detaches the cards', async () => {
  const { id: customer } = await newCustomer()
  const card = await savedCard('pm_card_visa', customer)

  await stripe.customers.del(customer)

  assert.equal((await stripe.paymentMethods.retrieve(card)).customer, null)
  assert.equal((await failureOf(charge(customer, card))).code, 'resource_missing')
})

test('a setup saves a card, and nothing is charged', async () => {
  const { id: customer } = await newCustomer()
  const setup = await stripe.setupIntents.create({ customer, metadata: { subscription: 's' } })

  const done = await stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa' })

  assert.partialDeepStrictEqual(setup, {
    object: 'setup_intent',
    status: 'requires_payment_method',
    usage: 'off_session',
    metadata: { subscription: 's' },
  })
  assert.ok(setup.client_secret?.startsWith(`${setup.id}_secret_`))
  assert.equal(done.status, 'succeeded')
  assert.deepEqual(await methodsOf(customer), [done.payment_method])
  assert.equal((await stripe.charges.list({ customer })).data.length, 0)
  assert.deepEqual(
    (await stripe.setupIntents.list({ customer })).data.map(({ id }) => id),
    [setup.id],
  )
  const again = await failureOf(stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa' }))
  assert.equal(again.code, 'setup_intent_unexpected_state')
})

test('a browser confirms its setup with the client secret alone', async () => {
  const { id: customer } = await newCustomer()
  const { id, client_secret } = await stripe.setupIntents.create({ customer })
  const confirm = (secret: string) =>
    fetch(`${gateway.url}/v1/setup_intents/${id}/confirm`, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_browser' },
      body: new URLSearchParams({ payment_method: 'pm_card_visa', client_secret: secret }),
    })

  assert.equal((await confirm('wrong')).status, 401)
  const confirmed = (await (await confirm(client_secret ?? '')).json()) as Stripe.SetupIntent

  assert.equal(confirmed.status, 'succeeded')
})

test('a declined card is not saved by a setup; another one is', async () => {
  const { id: customer } = await newCustomer()
  const { id } = await stripe.setupIntents.create({ customer })

  const error = await failureOf(
    stripe.setupIntents.confirm(id, { payment_method: 'pm_card_chargeDeclinedInsufficientFunds' }),
  )

  assert.partialDeepStrictEqual(error, {
    type: 'StripeCardError',
    statusCode: 402,
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    setup_intent: { id, status: 'requires_payment_method' },
  })
  assert.deepEqual(await methodsOf(customer), [])
  const done = await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa' })
  assert.deepEqual(
    { status: done.status, last_setup_error: done.last_setup_error },
    { status: 'succeeded', last_setup_error: null },
  )
})

test('a declined card cannot be attached', async () => {
  const { id: customer } = await newCustomer()
  const error = await failureOf(stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer }))
  assert.partialDeepStrictEqual(error, { statusCode: 402, code: 'card_declined' })
})

test('a refused authentication saves no card', async () => {
  const { id: customer } = await newCustomer()
  const { id } = await stripe.setupIntents.create({ customer })
  await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_authenticationRequired' })

  await control(`setup_intents/${id}/authenticate`, { outcome: 'refuse' })

  const setup = await stripe.setupIntents.retrieve(id)
  assert.deepEqual(
    { status: setup.status, code: setup.last_setup_error?.code },
    { status: 'requires_payment_method', code: 'setup_intent_authentication_failure' },
  )
  assert.deepEqual(await methodsOf(customer), [])
})

test('the bank page of a setup redirects back to the shop', async () => {
  const { id } = await stripe.setupIntents.create({ customer: (await newCustomer()).id })
  const asked = await stripe.setupIntents.confirm(id, {
    payment_method: 'pm_card_authenticationRequired',
    return_url: 'http://shop.localhost/cards',
  })
  const page = asked.next_action?.redirect_to_url?.url ?? ''

  assert.match(await (await fetch(page)).text(), /Do you agree to save this card/)
  const back = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'agree' }),
    redirect: 'manual',
  })

  assert.match(back.headers.get('location') ?? '', /cards\?setup_intent=seti_.*redirect_status=succeeded$/)
})

test('a canceled setup cannot be confirmed', async () => {
  const { id } = await stripe.setupIntents.create({ customer: (await newCustomer()).id })
  const canceled = await stripe.setupIntents.cancel(id, { cancellation_reason: 'abandoned' })
  assert.deepEqual(
    { status: canceled.status, reason: canceled.cancellation_reason },
    { status: 'canceled', reason: 'abandoned' },
  )
  const error = await failureOf(stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa' }))
  assert.equal(error.code, 'setup_intent_unexpected_state')
})

test('a payment with setup_future_usage saves its card; one without does not', async () => {
  const { id: customer } = await newCustomer()
  const pay = (more: Partial<Stripe.PaymentIntentCreateParams>) =>
    newIntent(stripe, 900, { customer, payment_method: 'pm_card_visa', confirm: true, ...more })

  const [saving, other] = [await pay({ setup_future_usage: 'off_session' }), await pay({})]

  assert.deepEqual(await methodsOf(customer), [saving.payment_method])
  assert.equal((await charge(customer, saving.payment_method as string)).status, 'succeeded')
  assert.match(
    (await failureOf(charge(customer, other.payment_method as string))).message,
    /not be used again/,
  )
})

test('a declined payment saves no card', async () => {
  const { id: customer } = await newCustomer()
  const { id } = await newIntent(stripe, 900, { customer, setup_future_usage: 'off_session' })
  await failureOf(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }))
  assert.deepEqual(await methodsOf(customer), [])
})

for (const card of ['pm_card_visa', 'pm_card_mastercard', 'pm_card_authenticationRequiredOnSetup'])
  test(`${card} is saved once and charged without its holder`, async () => {
    const { id: customer } = await newCustomer()
    const saved = await savedCard(card, customer)

    const paid = await charge(customer, saved)

    assert.partialDeepStrictEqual(paid, {
      status: 'succeeded',
      amount_received: 900,
      payment_method: saved,
      customer,
      allowed_payment_method_types: ['card'],
    })
  })

test('a card that was attached without its setup requires authentication', async () => {
  const { id: customer } = await newCustomer()
  const { id } = await stripe.paymentMethods.attach('pm_card_authenticationRequiredOnSetup', { customer })
  assert.equal((await failureOf(charge(customer, id))).code, 'authentication_required')
})

for (const [card, code, decline_code] of [
  ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline'],
  ['pm_card_authenticationRequired', 'authentication_required', 'authentication_required'],
] as const)
  test(`${card} is saved, and its charge fails with ${code}`, async () => {
    const { id: customer } = await newCustomer()
    const saved = await savedCard(card, customer)

    const error = await failureOf(charge(customer, saved))

    assert.partialDeepStrictEqual(error, {
      type: 'StripeCardError',
      statusCode: 402,
      code,
      decline_code,
      payment_method: { id: saved },
      payment_intent: { status: 'requires_payment_method', payment_method: null, customer },
    })
    const intent = await stripe.paymentIntents.retrieve(error.payment_intent?.id ?? '')
    assert.partialDeepStrictEqual(intent.last_payment_error, { code, payment_method: { id: saved } })
    assert.deepEqual(await methodsOf(customer), [saved])
  })

test('the buyer authenticates and pays a charge that was declined without them', async () => {
  const { id: customer } = await newCustomer()
  const saved = await savedCard('pm_card_authenticationRequired', customer)
  const { payment_intent } = await failureOf(charge(customer, saved))
  const id = payment_intent?.id ?? ''

  const asked = await stripe.paymentIntents.confirm(id, { payment_method: saved })
  await control(`payment_intents/${id}/authenticate`, { outcome: 'agree' })

  assert.equal(asked.status, 'requires_action')
  assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'succeeded')
})

test('a saved card is declined from now on, requires authentication, and is valid again', async () => {
  const { id: customer } = await newCustomer()
  const saved = await savedCard('pm_card_visa', customer)
  const behave = (body: object) => control(`payment_methods/${saved}`, body)

  await behave({ charges: 'decline', decline_code: 'insufficient_funds' })
  const declined = await failureOf(charge(customer, saved))
  await behave({ charges: 'authenticate' })
  const asked = await failureOf(charge(customer, saved))
  await behave({ charges: 'succeed' })
  const paid = await charge(customer, saved)

  assert.equal(declined.decline_code, 'insufficient_funds')
  assert.equal(asked.code, 'authentication_required')
  assert.equal(paid.status, 'succeeded')
})

test('an off-session charge is repeated with its key, paid or declined, as one charge', async () => {
  const { id: customer } = await newCustomer()
  const saved = await savedCard('pm_card_visa', customer)
  const chargesOf = async () => (await stripe.charges.list({ customer })).data.length

  const [first, second] = [await charge(customer, saved, 'paid-1'), await charge(customer, saved, 'paid-1')]
  await control(`payment_methods/${saved}`, { charges: 'decline' })
  const declined = await failureOf(charge(customer, saved, 'declined-1'))
  await control(`payment_methods/${saved}`, { charges: 'succeed' })
  const replayed = await failureOf(charge(customer, saved, 'declined-1'))

  assert.equal(second.id, first.id)
  assert.equal(replayed.payment_intent?.id, declined.payment_intent?.id)
  assert.equal(replayed.code, 'card_declined')
  assert.equal(await chargesOf(), 2)
})

test('off_session needs confirm, and payment_method_types is unknown to this API version', async () => {
  const { id: customer } = await newCustomer()
  const unconfirmed = await failureOf(newIntent(stripe, 900, { customer, off_session: true }))
  assert.deepEqual(
    { statusCode: unconfirmed.statusCode, param: unconfirmed.param },
    { statusCode: 400, param: 'off_session' },
  )
  const older = await failureOf(stripe.setupIntents.create({ payment_method_types: ['card'] } as object))
  assert.equal(older.code, 'parameter_unknown')
})

test('setups and charges of saved cards record events', async () => {
  await using own = await openGateway()
  const { id: customer } = await own.stripe.customers.create()
  const setup = async (card: string) => {
    const { id } = await own.stripe.setupIntents.create({ customer })
    return own.stripe.setupIntents.confirm(id, { payment_method: card })
  }
  await failureOf(setup('pm_card_chargeDeclined'))
  const { payment_method } = await setup('pm_card_chargeCustomerFail')
  await own.stripe.setupIntents.cancel((await own.stripe.setupIntents.create({ customer })).id)
  const charge = { amount: 900, currency: 'eur', customer, payment_method: payment_method as string }
  const declined = await failureOf(
    own.stripe.paymentIntents.create({ ...charge, off_session: true, confirm: true }),
  )

  const types = [
    ...['setup_intent.succeeded', 'setup_intent.setup_failed', 'setup_intent.canceled'],
    ...['payment_method.attached', 'payment_intent.payment_failed'],
  ]
  const { data } = await own.stripe.events.list({ types, limit: 100 })

  assert.deepEqual(data.map(({ type }) => type).sort(), types.toSorted())
  const failed = data.find(({ type }) => type === 'payment_intent.payment_failed')
  assert.partialDeepStrictEqual(failed?.data.object, {
    id: declined.payment_intent?.id,
    last_payment_error: { code: 'card_declined' },
  })
})
