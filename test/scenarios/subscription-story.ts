import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { addDuration } from '#test/sandbox/clock/duration.ts'
import type { SandboxAccess } from './access.ts'
import { Client } from './client.ts'
import { advanceClock, followClock } from './clock.ts'
import { checkOut, confirm, mailsTo, until } from './shopping.ts'
import type { Listener } from './story.ts'
import { compareYear } from './subscription-year.ts'

const COFFEE = 'harbor-blend-coffee'
const MONTHLY = { price: 10.5, duration: 1, duration_unit: 'month' }
const FREE_MONTH = { price: 0, duration: 1, duration_unit: 'month', cycle: 1 }
const HAMBURG = {
  firstname: 'Ada',
  lastname: 'Brandt',
  address_1: 'Am Sandtorkai 1',
  city: 'Hamburg',
  postcode: '20457',
  country: 'DE',
}

/**
 * A year of two subscriptions: one that the customer keeps, through a declined card, a skipped delivery and changes,
 * until it is canceled, and one that is completed. The sandbox's clock moves on by the year. At the end the orders, the
 * mails, the webhooks and the gateway agree.
 */
export async function runSubscriptionStory(access: SandboxAccess, listener: Listener): Promise<void> {
  const store = access.stores.find(({ slug }) => slug === 'harbor')
  assert.ok(store, 'the sandbox has the store harbor')
  const web = new Client(access.base_url, (call) => listener.call(call))
  await followClock(web, access)
  const visitor = web.as({ 'X-Service-Key': store.publishable_key })
  // Access tokens expire when the clock moves.
  const signIn = async (client: Client, body: object) => {
    const { data } = await client.quietly('POST /auth/login', { body })
    return client.as({ Authorization: `Bearer ${data.access_token}` })
  }

  listener.chapter('Staff sell a coffee every month with a free first month, and in three deliveries')
  let staff = await signIn(web, store.owner)
  const { data: coffee } = await visitor.call(`GET /products/${COFFEE}`)
  const [variant] = coffee.variants
  await staff.call(`POST /admin/variants/${variant.id}/stock`, { body: { delta: 20, note: 'Delivered' } })
  const sell = async (name: string, terms: object) => {
    const body = { name_i18n: { en: name }, ...MONTHLY, ...terms, product_ids: [coffee.id] }
    const created = await staff.call('POST /admin/recurring-plans', { body })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    return created.data.id as string
  }
  const monthlyPlan = await sell('Every month, the first one free', { trial: FREE_MONTH })
  const threePlan = await sell('Three deliveries', { cycle: 3 })
  const offered = await visitor.call(`GET /products/${COFFEE}`)
  const offeredIds = offered.data.recurring_plans.map(({ id }: { id: string }) => id)
  for (const id of [monthlyPlan, threePlan]) assert.ok(offeredIds.includes(id))
  const hook = `year-${randomUUID()}`
  const events = ['created', 'charged', 'payment_failed', 'card_changed', 'cancellation_scheduled']
  const endpoint = await staff.call('POST /admin/webhooks', {
    body: {
      url: `${access.receiver_url}/hooks/${hook}`,
      events: ['order.paid', ...[...events, 'canceled', 'completed'].map((type) => `subscription.${type}`)],
      description: 'A year of subscriptions',
    },
  })
  assert.equal(endpoint.status, 201, JSON.stringify(endpoint.body))

  listener.chapter('A customer subscribes: the cart shows what is paid now, and what later')
  const account = { email: `ada-${randomUUID()}@example.com`, password: 'a long enough password' }
  const registered = await visitor.call('POST /auth/register', {
    body: { ...account, firstname: 'Ada', lastname: 'Brandt' },
  })
  let customer = visitor.as({ Authorization: `Bearer ${registered.data.access_token}` })
  const line = { variant_id: variant.id, quantity: 1 }
  await customer.call('POST /cart/items', { body: { ...line, recurring_plan_id: monthlyPlan } })
  const cart = await customer.call('POST /cart/items', { body: { ...line, recurring_plan_id: threePlan } })
  const [free, paid] = cart.data.items
  assert.partialDeepStrictEqual(free, { line_total: 0, recurring: { next_line_total: MONTHLY.price } })
  assert.partialDeepStrictEqual(paid, { line_total: MONTHLY.price, recurring: { cycle: 3 } })

  listener.chapter('Pays by card: the gateway keeps it, and both subscriptions are active')
  const { order, payment } = await checkOut(customer)
  assert.equal(order.subtotal, MONTHLY.price)
  await confirm(web, access, payment.client_secret, 'pm_card_visa')
  await until(customer, `GET /orders/${order.id}`, ({ data }) => data.status === 'processing')
  await until(customer, 'GET /subscriptions', ({ data }) =>
    data.every((one: Subscribed) => one.card !== null),
  )
  const { data: started } = await customer.call('GET /subscriptions?status=active')
  assert.equal(started.length, 2)
  const idOf = (planId: string): string =>
    started.find((one: Subscribed) => one.recurring_plan_id === planId).id
  const [monthly, three] = [idOf(monthlyPlan), idOf(threePlan)]
  const own = `/subscriptions/${monthly}`
  const subscribed = await customer.call(`GET ${own}`)
  assert.partialDeepStrictEqual(subscribed.data, {
    card: { brand: 'visa', last4: '4242' },
    is_trial: false,
    next_charge: { charge_no: 2, amount: { subtotal: MONTHLY.price }, problem: '' },
  })

  /**
   * Moves the clock on until what became due has run; staff and the customer sign in again. Returns the subscription.
   */
  const advance = async (duration: string) => {
    await advanceClock(web, access, duration)
    staff = await signIn(web, store.owner)
    customer = await signIn(visitor, account)
    return (await customer.call(`GET ${own}`)).data
  }

  listener.chapter(
    'Staff end the plans: subscribers keep their terms; a mail announces the end of the free month',
  )
  for (const id of [monthlyPlan, threePlan])
    assert.equal((await staff.call(`DELETE /admin/recurring-plans/${id}`)).status, 200)
  const untilCharge = new Date(subscribed.data.next_charge_at).getTime() - Date.now()
  const trial = await advance(`P${Math.floor(untilCharge / DAY_MS) - 1}D`)
  assert.equal(trial.past_charges, 1)
  const [reminder] = await mailsTo(web, access, account.email, 1)
  assert.match(reminder?.subject ?? '', /^The free trial of “Every month, the first one free”/)

  listener.chapter('The month is over: the saved card is charged')
  // Some days after the charge: the clock and the charges round the end of a month differently.
  const second = await advance('P7D')
  assert.partialDeepStrictEqual(second, { status: 'active', past_charges: 2, unit_price: MONTHLY.price })

  listener.chapter('The third of three deliveries is paid: the subscription is completed')
  await advance('P1M')
  const completed = await customer.call(`GET /subscriptions/${three}`)
  assert.partialDeepStrictEqual(completed.data, { status: 'completed', past_charges: 3, charges_left: 0 })

  listener.chapter('The card is declined, also on days 1 and 3; each time a mail says why and where to pay')
  const card = await findCard(web, access, payment.client_secret)
  await web.call(`POST /_sandbox/payment_methods/${card}`, {
    at: access.gateway_url,
    body: { charges: 'decline', decline_code: 'insufficient_funds' },
  })
  const declined = await advance('P1M')
  assert.equal(declined.status, 'past_due')
  assert.partialDeepStrictEqual(declined.failed_charge, { attempts: 1, reason: 'insufficient_funds' })
  assert.equal((await advance('P1D')).failed_charge.attempts, 2)
  assert.equal((await advance('P2D')).failed_charge.attempts, 3)
  const letters = await mailsTo(web, access, account.email, 1)
  const mails = letters.filter(({ text }) => text.includes('The card does not have enough money.'))
  assert.equal(mails.length, 3)
  for (const { text } of mails) assert.ok(text.includes(`#order=${declined.failed_charge.order_id}`), text)

  listener.chapter('The customer gives another card: the open charge is paid immediately, and the dates stay')
  const setup = await customer
    .as({ 'Idempotency-Key': randomUUID() })
    .call(`POST ${own}/payment-method`, { body: {} })
  assert.equal(setup.data.kind, 'setup', JSON.stringify(setup.body))
  await confirm(web, access, setup.data.client_secret, 'pm_card_mastercard')
  await until(customer, `GET ${own}`, ({ data }) => data.status === 'active')
  const cured = await customer.call(`GET ${own}`)
  assert.partialDeepStrictEqual(cured.data, { card: { brand: 'mastercard' }, failed_charge: null })
  const inAMonth = addDuration(new Date(), 'P1M')
  assert.ok(inAMonth && new Date(cured.data.next_charge_at) < inAMonth, 'it does not count from the payment')

  listener.chapter('Two bags a month from now on, and to Hamburg')
  await customer.call(`PATCH ${own}`, { body: { quantity: 2, shipping_address: HAMBURG } })
  await advance('P1M')
  const [double] = (await customer.call(`GET /orders?subscription_id=${monthly}`)).data
  assert.partialDeepStrictEqual(double, {
    subtotal: 2 * MONTHLY.price,
    shipping_address: { city: HAMBURG.city },
  })

  listener.chapter('One delivery is skipped, and the next ones follow')
  const skipped = await customer.call(`POST ${own}/skip`)
  const idle = await advance('P1M')
  assert.partialDeepStrictEqual(idle, {
    past_charges: cured.data.past_charges + 1,
    next_charge_at: skipped.data.next_charge_at,
  })
  let latest = idle
  for (let month = 7; month <= 11; month++) latest = await advance('P1M')
  assert.equal(latest.past_charges, idle.past_charges + 5)

  listener.chapter('It is canceled for the end of the year: nothing more is charged')
  const scheduled = await customer.call(`POST ${own}/cancel?at=period_end`)
  assert.partialDeepStrictEqual(scheduled.data, { status: 'active', cancels_at_period_end: true })
  const canceled = await advance('P1M')
  assert.partialDeepStrictEqual(canceled, { status: 'canceled', past_charges: latest.past_charges })

  listener.chapter('The orders, mails, webhooks and the gateway agree on the year')
  await compareYear({ web, access, customer, hook, email: account.email, subscriptions: [monthly, three] })
  await staff.call(`DELETE /admin/webhooks/${endpoint.data.id}`)
}

interface Subscribed {
  id: string
  recurring_plan_id: string
  card: object | null
}

/** The gateway's id of the card that confirmed a payment. */
async function findCard(web: Client, access: SandboxAccess, clientSecret: string): Promise<string> {
  const [intent] = clientSecret.split('_secret_')
  const { body } = await web.call(`GET /v1/payment_intents/${intent}`, {
    at: access.gateway_url,
    headers: { Authorization: `Bearer ${access.gateway_secret_key}` },
  })
  return body.payment_method
}
