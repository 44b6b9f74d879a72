import { randomUUID } from 'node:crypto'
import type { NewRecurringPlan } from '#shared/recurring-plans/create-recurring-plan.ts'
import { enqueueDueCharges } from '#shared/subscriptions/enqueue-due.ts'
import { changeBehaviour } from '#test/sandbox/gateway/payment-methods.ts'
import { buildApiToken, buildCustomer, signInAgain } from '#test/support/builders/accounts.ts'
import { buildShop, checkOut, confirm, stripe } from '#test/support/builders/place-orders.ts'
import { buildPlan } from '#test/support/builders/plans.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

export const idOf = (secret: string): string => secret.split('_secret')[0] ?? ''

/** A shop at 31 January 2027 that sells its variant by a plan, and a customer who puts it into the cart. */
export async function scene(given: Partial<NewRecurringPlan> = {}) {
  freezeClock(new Date('2027-01-31T10:00:00.000Z'))
  const shop = await buildShop(100, { timeZone: 'UTC' })
  const { store, variantId } = shop
  const { token } = await buildApiToken(store, 'sales:read', 'sales:write', 'catalog:read')
  const staff = (line: string, body?: object) => request(line, { token, ...(body ? { body } : {}) })
  const productIds = [(await staff('GET /admin/products')).data[0].id as string]
  const plan = await buildPlan(store, { productIds, ...given })
  const customer = await buildCustomer(store)
  const own = async (line: string, body?: object) =>
    request(line, {
      store,
      token: await signInAgain(store, customer),
      ...(line.startsWith('POST') ? { key: randomUUID(), headers: { Prefer: 'respond-async' } } : {}),
      ...(body ? { body } : {}),
    })
  const add = (body: object = {}) =>
    own('POST /cart/items', { variant_id: variantId, quantity: 1, recurring_plan_id: plan.id, ...body })
  const checkOutByCard = async () =>
    checkOut(shop, { token: await signInAgain(store, customer), body: { payment_method: 'card' } })
  const subscriptions = async () => (await own('GET /subscriptions')).data
  /** What the gateway has captured, in minor units. */
  const captured = () =>
    gateway
      .ledger()
      .payment_intents.filter(
        (intent) => intent.metadata.store_id === store.id && intent.status === 'succeeded',
      )
      .map(({ amount }) => amount)
  return { ...shop, plan, customer, own, staff, add, checkOutByCard, subscriptions, captured }
}

/** A customer who has subscribed and paid the first charge by card. */
export async function subscribed(given: Partial<NewRecurringPlan> = {}) {
  const built = await scene(given)
  await built.add()
  const { data } = await built.checkOutByCard()
  await drainJobs()
  const { data: opened } = await built.own(`POST /orders/${data.order.id}/pay`, {})
  const paid = await confirm(idOf(opened.payment.client_secret))
  await notify('payment_intent.succeeded', paid)
  const [{ id }] = await built.subscriptions()
  const path = `/subscriptions/${id}`
  return {
    ...built,
    id,
    path,
    card: String(paid.payment_method),
    read: async () => (await built.own(`GET ${path}`)).data,
  }
}

type Subscribed = Awaited<ReturnType<typeof subscribed>>

export async function at(time: string): Promise<void> {
  freezeClock(new Date(time))
  await enqueueDueCharges()
  await drainJobs()
}

export const decline = (card: string, charges: 'decline' | 'authenticate' | 'succeed') =>
  gateway.change((context) => changeBehaviour(context, card, { charges, decline_code: 'insufficient_funds' }))

/** Gives a subscription another card. Returns the response to the request for it. */
export async function giveCard({ own, path }: Pick<Subscribed, 'own' | 'path'>, card: string) {
  const opened = await own(`POST ${path}/payment-method`)
  await drainJobs()
  const setups = gateway.ledger().setup_intents.filter((one) => one.status === 'requires_payment_method')
  const reference = setups.at(-1)?.id ?? ''
  await stripe.setupIntents.confirm(reference, { payment_method: card })
  await notify('setup_intent.succeeded', await stripe.setupIntents.retrieve(reference))
  return opened
}
