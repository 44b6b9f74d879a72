import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { failureOf, newIntent, openGateway, paidIntent, stripeFor } from './gateway-fixture.ts'

const { gateway, stripe } = await openGateway()
after(() => gateway.stop())

test('a new intent waits for a payment method', async () => {
  const intent = await newIntent(stripe)
  assert.match(intent.id, /^pi_/)
  assert.equal(intent.status, 'requires_payment_method')
  assert.equal(intent.amount, 2500)
  assert.deepEqual(intent.metadata, { order_id: 'order-7' })
  assert.ok(intent.client_secret?.startsWith(`${intent.id}_secret_`))
  assert.match(intent.lastResponse.requestId, /^req_/)
  assert.equal((await stripe.paymentIntents.retrieve(intent.id)).id, intent.id)
})

test('a valid card pays an intent', async () => {
  const paid = await paidIntent(stripe)
  const charge = await stripe.charges.retrieve(paid.latest_charge as string)
  assert.partialDeepStrictEqual(paid, { status: 'succeeded', amount_received: 2500 })
  assert.partialDeepStrictEqual(charge, { status: 'succeeded', captured: true, payment_intent: paid.id })
})

for (const [card, declineCode] of [
  ['pm_card_chargeDeclined', 'generic_decline'],
  ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
]) {
  test(`${card} is declined, and another card can pay`, async () => {
    const { id } = await newIntent(stripe)
    const error = await failureOf(stripe.paymentIntents.confirm(id, { payment_method: card }))
    assert.deepEqual(
      {
        type: error.type,
        statusCode: error.statusCode,
        code: error.code,
        decline_code: error.decline_code,
        status: error.payment_intent?.status,
      },
      {
        type: 'StripeCardError',
        statusCode: 402,
        code: 'card_declined',
        decline_code: declineCode,
        status: 'requires_payment_method',
      },
    )
    const waiting = await stripe.paymentIntents.retrieve(id)
    assert.equal(waiting.status, 'requires_payment_method')
    assert.equal(waiting.last_payment_error?.decline_code, declineCode)
    assert.equal(
      (await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).status,
      'succeeded',
    )
  })
}

test('a card with bank authentication waits until its holder confirms on the page', async () => {
  const { id } = await newIntent(stripe)
  const asked = await stripe.paymentIntents.confirm(id, {
    payment_method: 'pm_card_threeDSecure2Required',
    return_url: 'http://shop.localhost/thanks',
  })
  assert.equal(asked.status, 'requires_action')
  const page = asked.next_action?.redirect_to_url?.url ?? ''
  assert.match(await (await fetch(page)).text(), /Do you agree to pay 2500 EUR/)

  const back = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'agree' }),
    redirect: 'manual',
  })
  assert.match(
    back.headers.get('location') ?? '',
    /^http:\/\/shop.localhost\/thanks\?payment_intent=pi_.*succeeded$/,
  )
  assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'succeeded')
})

test('a declined bank authentication leaves the intent unpaid', async () => {
  const { id } = await newIntent(stripe)
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_authenticationRequired' })
  await fetch(`${gateway.url}/_sandbox/payment_intents/${id}/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ outcome: 'refuse' }),
  })
  const { status, last_payment_error } = await stripe.paymentIntents.retrieve(id)
  assert.deepEqual(
    { status, code: last_payment_error?.code },
    { status: 'requires_payment_method', code: 'payment_intent_authentication_failure' },
  )
})

test('a saved card succeeds or is declined off-session', async () => {
  const customer = await stripe.customers.create({ email: 'ann@example.com' })
  const renew = async (card: string) => {
    const first = await newIntent(stripe, 900, {
      customer: customer.id,
      payment_method: card,
      setup_future_usage: 'off_session',
      confirm: true,
    })
    const saved = first.payment_method as string
    return newIntent(stripe, 900, {
      customer: customer.id,
      payment_method: saved,
      off_session: true,
      confirm: true,
    })
  }
  assert.equal((await renew('pm_card_visa')).status, 'succeeded')
  assert.equal((await failureOf(renew('pm_card_chargeCustomerFail'))).code, 'card_declined')
})

test('an authorised amount is captured later, captured in part, or released', async () => {
  const authorised = await newIntent(stripe, 2500, {
    capture_method: 'manual',
    payment_method: 'pm_card_visa',
    confirm: true,
  })
  assert.partialDeepStrictEqual(authorised, { status: 'requires_capture', amount_capturable: 2500 })
  const captured = await stripe.paymentIntents.capture(authorised.id, { amount_to_capture: 2000 })
  assert.partialDeepStrictEqual(captured, { status: 'succeeded', amount_received: 2000 })
  const error = await failureOf(stripe.paymentIntents.cancel(authorised.id))
  assert.equal(error.code, 'payment_intent_unexpected_state')
})

test('an unpaid intent can be changed and canceled; a canceled one cannot be paid', async () => {
  const { id } = await newIntent(stripe)
  const changed = await stripe.paymentIntents.update(id, {
    amount: 3000,
    metadata: { order_id: '', note: 'x' },
  })
  assert.deepEqual(
    { amount: changed.amount, metadata: changed.metadata },
    { amount: 3000, metadata: { note: 'x' } },
  )
  assert.equal((await stripe.paymentIntents.cancel(id)).status, 'canceled')
  const error = await failureOf(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }))
  assert.equal(error.code, 'payment_intent_unexpected_state')
})

test('an invalid request returns an error in the format of Stripe', async () => {
  const { id } = await newIntent(stripe)
  const unknownCard = await failureOf(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_nope' }))
  assert.partialDeepStrictEqual(unknownCard, { code: 'resource_missing', param: 'payment_method' })
  assert.equal((await failureOf(stripe.paymentIntents.retrieve('pi_nope'))).statusCode, 404)
  assert.equal((await failureOf(newIntent(stripe, 0))).code, 'parameter_invalid_integer')
  assert.equal((await failureOf(newIntent(stripe, 5, { currency: 'euro' }))).param, 'currency')
  const typo = await failureOf(newIntent(stripe, 5, { ammount: 5 } as object))
  assert.partialDeepStrictEqual(typo, { code: 'parameter_unknown', param: 'ammount' })
  const stranger = await failureOf(newIntent(stripeFor(gateway, { key: 'sk_test_other' })))
  assert.partialDeepStrictEqual(stranger, { type: 'StripeAuthenticationError', statusCode: 401 })
})

test('a publishable key confirms its own intent and can do nothing else', async () => {
  const { id, client_secret } = await newIntent(stripe)
  const call = (path: string, form: Record<string, string>) =>
    fetch(`${gateway.url}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_browser' },
      body: new URLSearchParams(form),
    })
  const wrong = await call(`payment_intents/${id}/confirm`, {
    payment_method: 'pm_card_visa',
    client_secret: 'x',
  })
  assert.equal(wrong.status, 401)
  assert.equal((await call('refunds', { payment_intent: id })).status, 401)
  const right = await call(`payment_intents/${id}/confirm`, {
    payment_method: 'pm_card_visa',
    client_secret: client_secret ?? '',
  })
  assert.equal(((await right.json()) as { status: string }).status, 'succeeded')
})

test('a page of any origin loads the browser library and may call the API with it', async () => {
  const library = await fetch(`${gateway.url}/_sandbox/stripe.js`)
  const preflight = await fetch(`${gateway.url}/v1/payment_intents/pi_1/confirm`, { method: 'OPTIONS' })
  const answer = await fetch(`${gateway.url}/v1/payment_intents/pi_1`, {
    headers: { authorization: 'Bearer pk_test_browser' },
  })

  assert.deepEqual(
    { status: library.status, type: library.headers.get('content-type') },
    { status: 200, type: 'text/javascript; charset=utf-8' },
  )
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'authorization, content-type')
  for (const { headers } of [preflight, answer]) assert.equal(headers.get('access-control-allow-origin'), '*')
})

test('an intent is refunded in parts, never by more than was paid', async () => {
  const paid = await paidIntent(stripe)
  const part = await stripe.refunds.create({
    payment_intent: paid.id,
    amount: 1000,
    reason: 'requested_by_customer',
    metadata: { refund_id: 'r-1' },
  })
  assert.deepEqual(
    { status: part.status, amount: part.amount, refund_id: part.metadata?.refund_id },
    { status: 'succeeded', amount: 1000, refund_id: 'r-1' },
  )
  const tooMuch = await failureOf(stripe.refunds.create({ payment_intent: paid.id, amount: 1501 }))
  assert.partialDeepStrictEqual(tooMuch, { statusCode: 400, code: 'amount_too_large', param: 'amount' })
  const rest = await stripe.refunds.create({ payment_intent: paid.id })
  assert.equal(rest.amount, 1500)
  const again = await failureOf(stripe.refunds.create({ payment_intent: paid.id }))
  assert.partialDeepStrictEqual(again, { statusCode: 400, code: 'charge_already_refunded' })

  const listed = await stripe.refunds.list({ payment_intent: paid.id })
  assert.deepEqual(
    listed.data.map(({ id }) => id),
    [rest.id, part.id],
  )
  assert.equal((await stripe.refunds.retrieve(part.id)).id, part.id)
  const { latest_charge } = await stripe.paymentIntents.retrieve(paid.id, { expand: ['latest_charge'] })
  const { refunded, amount_refunded } = latest_charge as { refunded: boolean; amount_refunded: number }
  assert.deepEqual({ refunded, amount_refunded }, { refunded: true, amount_refunded: 2500 })
})

test('an unpaid intent cannot be refunded', async () => {
  const { id } = await newIntent(stripe)
  assert.equal((await failureOf(stripe.refunds.create({ payment_intent: id }))).statusCode, 400)
  const unknown = await failureOf(stripe.refunds.create({ payment_intent: 'pi_nope' }))
  assert.partialDeepStrictEqual(unknown, { statusCode: 400, code: 'resource_missing' })
})

test('a pending refund is settled later; a failed one can be made again', async () => {
  const paid = await paidIntent(stripe, 2500, 'pm_card_pendingRefund')
  const refund = await stripe.refunds.create({ payment_intent: paid.id })
  assert.equal(refund.status, 'pending')
  await fetch(`${gateway.url}/_sandbox/refunds/${refund.id}/settle`, {
    method: 'POST',
    body: JSON.stringify({ status: 'failed' }),
  })
  assert.equal((await stripe.refunds.retrieve(refund.id)).status, 'failed')
  assert.equal((await stripe.refunds.create({ payment_intent: paid.id })).amount, 2500)
})

test('lists are paginated, newest first', async () => {
  await using own = await openGateway()
  for (const amount of [51, 52, 53, 54, 55]) await newIntent(own.stripe, amount)
  const amounts: number[] = []
  for await (const { amount } of own.stripe.paymentIntents.list({ limit: 2 })) amounts.push(amount)
  assert.deepEqual(amounts, [55, 54, 53, 52, 51])
})

test('the balance is the payments minus the refunds', async () => {
  await using own = await openGateway()
  const paid = await paidIntent(own.stripe, 2500)
  await own.stripe.refunds.create({ payment_intent: paid.id, amount: 700 })
  assert.equal((await own.stripe.balance.retrieve()).available[0]?.amount, 1800)
})

const REFUSED = [
  { why: 'a third decimal that is not 0', amount: 1_337, currency: 'kwd', code: 'parameter_invalid_integer' },
  {
    why: 'decimals of the króna other than 00',
    amount: 1_050,
    currency: 'isk',
    code: 'parameter_invalid_integer',
  },
  {
    why: 'decimals of the shilling other than 00',
    amount: 1_050,
    currency: 'ugx',
    code: 'parameter_invalid_integer',
  },
  { why: 'a charge below the minimum', amount: 49, currency: 'eur', code: 'amount_too_small' },
  { why: 'a charge below the minimum', amount: 17_499, currency: 'huf', code: 'amount_too_small' },
]

for (const { why, amount, currency, code } of REFUSED)
  test(`${why} is refused with ${code}: ${amount} ${currency}`, async () => {
    const error = await failureOf(newIntent(stripe, amount, { currency }))

    assert.partialDeepStrictEqual(error, { statusCode: 400, code, param: 'amount' })
  })

test('the smallest amounts and steps are accepted, and a refund keeps to the steps', async () => {
  assert.equal((await newIntent(stripe, 50)).amount, 50)
  assert.equal((await newIntent(stripe, 17_501, { currency: 'huf' })).amount, 17_501)
  assert.equal((await newIntent(stripe, 100, { currency: 'isk' })).amount, 100)
  const { id } = await newIntent(stripe, 1_340, { currency: 'kwd' })
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })

  const refused = await failureOf(stripe.refunds.create({ payment_intent: id, amount: 337 }))

  assert.partialDeepStrictEqual(refused, { statusCode: 400, param: 'amount' })
  assert.equal((await stripe.refunds.create({ payment_intent: id, amount: 340 })).amount, 340)
})
