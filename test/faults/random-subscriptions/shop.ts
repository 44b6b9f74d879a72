import { enqueueDueOrders } from '#shared/payments/close/enqueue-due-orders.ts'
import { receiveNotification } from '#shared/payments/notifications/receive-notification.ts'
import { recoverPayments } from '#shared/payments/recover-payments.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { NewRecurringPlan } from '#shared/recurring-plans/create-recurring-plan.ts'
import type { Store } from '#shared/stores/store.ts'
import { enqueueDueCharges } from '#shared/subscriptions/enqueue-due.ts'
import { lockSubscription, type Subscription } from '#shared/subscriptions/subscription.ts'
import { buildCardSubscription } from '#test/support/builders/card-subscriptions.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildShippingMethod } from '#test/support/builders/methods.ts'
import { readStore } from '#test/support/builders/orders.ts'
import { buildPlan } from '#test/support/builders/plans.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { handlers } from '#workers/handlers.ts'

/** Minor units of one unit: alone, and from three units on. */
export const UNIT_MINOR = 1_000n
export const DISCOUNTED_MINOR = 800n
export const DISCOUNTED_FROM = 3

/** The plans of the product. Without a price of its own, a plan charges the variant's. */
const PLANS: readonly Partial<NewRecurringPlan>[] = [
  { priceMinor: null },
  { priceMinor: 700n, durationUnit: 'week' },
  { priceMinor: 900n, durationUnit: 'week', cycle: 4 },
  {
    priceMinor: null,
    trial: { priceMinor: 100n, duration: 1, durationUnit: 'week', cycle: 2, maxQuantity: 4 },
  },
]

/** A subscription with the gateway's ids of its cards, the latest last. */
export interface Subscriber {
  id: string
  customerId: string
  cards: string[]
}

/** A shop in which subscriptions of one product live, and its time. */
export interface Shop {
  store: Store
  product: { productId: string; variantId: string }
  planIds: string[]
  shippingIds: string[]
  subscribers: Subscriber[]
  at: Date
  /** The number of the gateway's events that were delivered. */
  delivered: number
}

export async function openShop(): Promise<Shop> {
  const at = new Date('2027-01-31T10:00:00.000Z')
  freezeClock(at)
  const { id } = await buildStore({ timeZone: 'UTC' })
  const { id: productId, variants } = await buildProduct(
    { id },
    { variants: [{ stockOnHand: 100_000 }], priceRules: [quantityDiscount] },
  )
  const planIds: string[] = []
  for (const plan of PLANS) planIds.push((await buildPlan({ id }, { productIds: [productId], ...plan })).id)
  const shippingIds = [
    (await buildShippingMethod({ id })).id,
    (await buildShippingMethod({ id }, { priceMinor: 300n })).id,
  ]
  const product = { productId, variantId: variants[0]?.id ?? '' }
  const store = await readStore(id)
  return { store, product, planIds, shippingIds, subscribers: [], at, delivered: 0 }
}

const quantityDiscount = {
  priceMinor: DISCOUNTED_MINOR,
  minQuantity: DISCOUNTED_FROM,
  startsAt: null,
  endsAt: null,
}

/** Starts a subscription with a saved card. */
export async function subscribe(shop: Shop, given: { planId: string; quantity: number }): Promise<void> {
  const { id, customer, card } = await buildCardSubscription(gateway, shop.store, {
    of: shop.product,
    ...given,
  })
  shop.subscribers.push({ id, customerId: customer.id, cards: [card.reference] })
}

export const readSubscription = (shop: Shop, { id }: Subscriber): Promise<Subscription> =>
  inStore(shop.store.id, (tx) => lockSubscription(tx, id))

export function passTime(shop: Shop, ms: number): void {
  shop.at = new Date(shop.at.getTime() + ms)
  freezeClock(shop.at)
}

// Mails move no money.
const OF_MONEY = handlers.filter(({ job }) => !job.queue.includes('mail'))

export const runJobs = () => drainJobs(OF_MONEY)

/** Runs the schedules of subscriptions and payments, with the jobs that they enqueue. */
export async function runSchedules(): Promise<void> {
  await enqueueDueCharges()
  await runJobs()
  await recoverPayments()
  await enqueueDueOrders()
  await runJobs()
}

/** Delivers the events of the gateway since the last delivery, in their order or in the reverse. */
export async function deliverEvents(shop: Shop, { isReversed = false } = {}): Promise<void> {
  const events = gateway.change(({ books }) => books.all('events')).slice(shop.delivered)
  shop.delivered += events.length
  for (const { id, type, data } of isReversed ? events.toReversed() : events)
    await receiveNotification({ provider: 'stripe', id, type, object: { ...data.object } })
  await runJobs()
}
