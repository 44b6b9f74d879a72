import assert from 'node:assert/strict'
import '#test/support/processes/gateway.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { lockOrder, Order } from '#shared/orders/order.ts'
import { receiveNotification } from '#shared/payments/notifications/receive-notification.ts'
import { payOrder } from '#shared/payments/open/pay-order.ts'
import { Payment } from '#shared/payments/payment.ts'
import { recoverPayments } from '#shared/payments/recover-payments.ts'
import type { SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { findDiscrepancies } from '#shared/reconciliation/find-discrepancies.ts'
import { replaceCard } from '#shared/subscriptions/card/replace-card.ts'
import { skipDelivery } from '#shared/subscriptions/changes/skip-delivery.ts'
import { updateSubscription } from '#shared/subscriptions/changes/update-subscription.ts'
import { Charge, findOpenCharge } from '#shared/subscriptions/charge.ts'
import { enqueueDueCharges } from '#shared/subscriptions/enqueue-due.ts'
import { cancelSubscription } from '#shared/subscriptions/lifecycle/cancel-subscription.ts'
import { pauseSubscription } from '#shared/subscriptions/lifecycle/pause-subscription.ts'
import { lockSubscription, Subscription } from '#shared/subscriptions/subscription.ts'
import { confirmIntent } from '#test/sandbox/gateway/payment-intents.ts'
import { changeBehaviour } from '#test/sandbox/gateway/payment-methods.ts'
import { buildCardSubscription } from '#test/support/builders/card-subscriptions.ts'
import { readStore } from '#test/support/builders/orders.ts'
import { moveClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { pending } from '#test/support/races/overlap.ts'
import { until } from '#test/support/races/until.ts'
import { handlers } from '#workers/handlers.ts'
import { applyNotification } from '#workers/payments/notifications/apply-notification.ts'
import { chargeSavedCard } from '#workers/payments/open/charge-saved-card.ts'
import type { Handler } from '#workers/platform/handle.ts'
import { chargeSubscription } from '#workers/subscriptions/charge-subscription.ts'
import { settleCharges } from '#workers/subscriptions/settle-charges.ts'

const FIRST_PERIOD_MS = 32 * DAY_MS
const ACTOR = 'staff:1'

/** A subscription whose second charge is due, and how far that charge is. */
export interface Scene {
  storeId: string
  id: string
  customerId: string
  card: SavedCard
  /** Of the second charge; undefined before it has an order, or a payment. */
  orderId?: string
  paymentId?: string
  /** How often the card was declined. */
  declines: number
}

const within = <T>({ storeId }: Scene, work: (tx: StoreTx) => PromiseLike<T>): Promise<T> =>
  inStore(storeId, work)

// Mails move no money.
const OF_MONEY = handlers.filter(({ job }) => !job.queue.includes('mail'))

const run = (handler: Handler, { storeId }: Scene, payload: object): Promise<void> =>
  handler.run({ storeId, ...payload }, { jobId: 'now', retry: 0, signal: AbortSignal.timeout(60_000) })

const behave = ({ card }: Scene, charges: 'decline' | 'succeed'): unknown =>
  gateway.change((context) => changeBehaviour(context, card.reference, { charges }))

const charge = (scene: Scene) => run(chargeSubscription, scene, { subscriptionId: scene.id })
const send = (scene: Scene) => run(chargeSavedCard, scene, { paymentId: scene.paymentId ?? '' })

/** Places the order of the second charge. Its payment is not sent yet. */
async function order(scene: Scene): Promise<void> {
  await charge(scene)
  const open = await within(scene, (tx) => findOpenCharge(tx, scene))
  Object.assign(scene, { orderId: open?.orderId, paymentId: open?.paymentId })
}

async function declined(scene: Scene): Promise<void> {
  behave(scene, 'decline')
  await order(scene)
  await send(scene)
  await run(settleCharges, scene, { orderId: scene.orderId })
  behave(scene, 'succeed')
  scene.declines += 1
}

/** The states of a subscription in which two acts meet. */
const SITUATIONS = {
  /** The charge is due. */
  due: async () => {},
  /** Its order is placed, and the card is not charged yet. */
  ordered: order,
  /** The gateway has charged the card, and its answer was lost. */
  sent: async (scene: Scene) => {
    await order(scene)
    gateway.faults.set({ on: 'POST /v1/payment_intents', mode: 'error_after', times: 1 })
    await assert.rejects(send(scene))
  },
  /** The card was declined, and the charge is tried again now. */
  declined: async (scene: Scene) => {
    await declined(scene)
    moveClock(FIRST_PERIOD_MS + DAY_MS + MINUTE_MS)
  },
  /** The card was declined, and the customer has just paid the order by its link. */
  paidByLink: async (scene: Scene) => {
    await declined(scene)
    await ACTS['a payment by link'](scene)
    await drainJobs(OF_MONEY)
    await confirmLink(scene)
    moveClock(FIRST_PERIOD_MS + DAY_MS + MINUTE_MS)
  },
} as const satisfies Record<string, (scene: Scene) => Promise<void>>
export type Situation = keyof typeof SITUATIONS

/** A new subscription in this situation. */
export async function reach(situation: Situation, store: { id: string }): Promise<Scene> {
  moveClock(0)
  const { id, customer, card } = await buildCardSubscription(gateway, store)
  await drainJobs(OF_MONEY)
  moveClock(FIRST_PERIOD_MS)
  const scene: Scene = { storeId: store.id, id, customerId: customer.id, card, declines: 0 }
  await SITUATIONS[situation](scene)
  return scene
}

/** What can happen to a subscription at any moment. */
const ACTS = {
  'the charge': charge,
  'the sending': send,
  'the notification': deliver,
  'the outcome': (scene: Scene) => run(settleCharges, scene, { orderId: scene.orderId }),
  cancel: (scene: Scene) =>
    within(scene, (tx) => cancelSubscription(tx, scene.id, { actor: ACTOR, at: 'now' })),
  'cancel later': (scene: Scene) =>
    within(scene, (tx) => cancelSubscription(tx, scene.id, { actor: ACTOR, at: 'period_end' })),
  pause: (scene: Scene) => within(scene, (tx) => pauseSubscription(tx, scene.id, { actor: ACTOR })),
  skip: (scene: Scene) => within(scene, (tx) => skipDelivery(tx, scene.id)),
  'a change': (scene: Scene) => within(scene, (tx) => updateSubscription(tx, scene.id, { quantity: 2 }, {})),
  'another card': (scene: Scene) =>
    within(scene, (tx) => replaceCard(tx, { subscriptionId: scene.id, card: scene.card, givenAt: now() })),
  'a canceled order': (scene: Scene) =>
    within(scene, (tx) => changeOrderStatus(tx, scene.orderId ?? '', 'canceled', ACTOR)),
  'a payment by link': async (scene: Scene) => {
    const store = await readStore(scene.storeId)
    const buyer = { customerId: scene.customerId, accessToken: null }
    return within(scene, (tx) => payOrder(tx, store, scene.orderId ?? '', { buyer, network: '203.0.113.0' }))
  },
} as const satisfies Record<string, (scene: Scene) => Promise<unknown>>
export type ActName = keyof typeof ACTS

/** What an act came to: done, or the code of its refusal. `charged`: the charges at the gateway when it ended. */
interface Outcome {
  act: ActName
  result: string
  charged: string[]
}

/** Starts two acts at the same moment: both wait for the first lock that they need, the first one gets it first. */
async function meet(scene: Scene, acts: readonly [ActName, ActName]): Promise<Outcome[]> {
  const held = await pending(
    (work) => within(scene, work),
    async (tx) => {
      await lockSubscription(tx, scene.id)
      if (scene.orderId) await lockOrder(tx, scene.orderId)
    },
  )
  const running: Promise<Outcome>[] = []
  let waiting = 0
  for (const act of acts) {
    let isOver = false
    const end = () => {
      isOver = true
    }
    running.push(attempt(scene, act).finally(end))
    await until(
      `${act} waits for the lock, or is over`,
      async () => isOver || (await countWaiting()) > waiting,
    )
    if (!isOver) waiting += 1
  }
  held.commit()
  await held.done
  return Promise.all(running)
}

const WAITING =
  "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
const countWaiting = async (): Promise<number> => (await superuser.query(WAITING)).rows.length

/** The error of a job that the queue repeats: the gateway is still at the same charge. */
const REPEATED = /idempotency/i

async function attempt(scene: Scene, act: ActName): Promise<Outcome> {
  const result = await ACTS[act](scene).then(
    () => 'done',
    (error: Error) => {
      if (error instanceof CodedError) return error.code
      if (!REPEATED.test(error.message)) throw error
      return 'repeated'
    },
  )
  return { act, result, charged: await chargedFor(scene) }
}

/** Two acts meet in a new scene, and all that follows passes: there is one outcome. */
export async function runConcurrently(
  store: { id: string },
  situation: Situation,
  acts: readonly [ActName, ActName],
): Promise<void> {
  const scene = await reach(situation, store)
  const outcomes = await meet(scene, acts)
  await finish(scene)
  await assertOneOutcome(scene, outcomes)
}

/** Lets pass what follows: the customer completes a payment by link, and all jobs and schedules run for two hours. */
async function finish(scene: Scene): Promise<void> {
  const started = scene.orderId && scene.paymentId ? FIRST_PERIOD_MS + DAY_MS : FIRST_PERIOD_MS
  await drainJobs(OF_MONEY)
  await confirmLink(scene).catch(ignoreClosed)
  for (const ms of [10 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS]) {
    moveClock(started + ms)
    await enqueueDueCharges()
    await recoverPayments()
    await drainJobs(OF_MONEY)
    await deliver(scene)
    await drainJobs(OF_MONEY)
  }
}

/** The gateway refuses to take money for what was closed in between. */
function ignoreClosed(error: Error): void {
  if (!/status of|cannot/i.test(error.message)) throw error
}

/** The customer confirms the open payment by link of the second charge at the gateway. */
async function confirmLink(scene: Scene): Promise<void> {
  const payments = await within(scene, (tx) => paymentsOf(tx, scene))
  const open = payments.findLast(({ cardUse, status }) => cardUse === 'save' && status === 'requires_action')
  if (open?.gatewayReference)
    gateway.change((context) =>
      confirmIntent(context, open.gatewayReference ?? '', { payment_method: 'pm_card_visa' }),
    )
}

/** Delivers the last event of each payment of the second charge, and handles it. */
async function deliver(scene: Scene): Promise<void> {
  const { orderId } = scene
  const events = gateway.change(({ books }) => books.all('events'))
  const own = gateway.ledger().payment_intents.filter(({ metadata }) => metadata.order_id === orderId)
  for (const intent of own) {
    const event = events.findLast(({ data }) => (data.object as { id: string }).id === intent.id)
    if (!event) continue
    const { id, type, data } = event
    await receiveNotification({ provider: 'stripe', id, type, object: { ...data.object } })
    await run(applyNotification, scene, { provider: 'stripe', notificationId: id })
  }
}

const paymentsOf = (tx: StoreTx, { orderId }: Scene): PromiseLike<Payment[]> =>
  Payment.in(tx)
    .where('order_id', orderId ?? null)
    .orderBy('id')

const ordersOf = (tx: StoreTx, { id }: Scene): PromiseLike<Order[]> =>
  Order.in(tx).where('subscription_id', id).orderBy('charge_no')

/** The charges of the subscription that the gateway has captured, by their ids. */
async function chargedFor(scene: Scene): Promise<string[]> {
  const orders = await within(scene, (tx) => ordersOf(tx, scene))
  const ids = new Set<unknown>(orders.map(({ id }) => id))
  const { payment_intents, charges } = gateway.ledger()
  const own = new Set(
    payment_intents.filter(({ metadata }) => ids.has(metadata.order_id)).map(({ id }) => id),
  )
  return charges
    .filter(({ captured, payment_intent }) => captured && own.has(payment_intent ?? ''))
    .map(({ id }) => id)
}

/**
 * What the customer has paid for each order after the first one, less refunds, by the gateway's ledger. Minor units.
 */
export async function ledgerOf(scene: Scene) {
  const orders = await within(scene, (tx) => ordersOf(tx, scene))
  const { payment_intents, refunds } = gateway.ledger()
  return orders.slice(1).map((one) => {
    const own = payment_intents.filter(({ metadata }) => metadata.order_id === one.id)
    const returned = refunds.filter(
      ({ payment_intent, status }) => status === 'succeeded' && own.some(({ id }) => id === payment_intent),
    )
    const received = own.reduce((units, { amount_received }) => units + amount_received, 0)
    return {
      order: one,
      total: Number(one.totalMinor),
      paid: received - returned.reduce((units, { amount }) => units + amount, 0),
    }
  })
}

/** An act after which nothing is charged at this date. */
const STOPS: readonly ActName[] = ['cancel', 'pause', 'skip', 'cancel later']

/** A job is always done; a request may be refused with the state of the subscription. */
const OF_SUBSCRIPTIONS = /^(done|repeated|subscription\..+)$/
const ANSWERS: Partial<Record<ActName, RegExp>> = {
  'the charge': /^done$/,
  'the notification': /^done$/,
  'a canceled order': /^(done|order\.(invalid_transition|refund_required))$/,
  'a payment by link': /^(done|order\.not_payable)$/,
}

/** One outcome: no charge twice, none after an answered stop, none forgotten, and all books agree. */
async function assertOneOutcome(scene: Scene, outcomes: Outcome[]): Promise<void> {
  const where = outcomes.map(({ act, result }) => `${act}: ${result}`).join(', ')
  const done = (name: ActName) => outcomes.find(({ act, result }) => act === name && result === 'done')
  const { status, chargeNo } = await within(scene, (tx) =>
    Subscription.in(tx).findById(scene.id).throwIfNotFound(),
  )
  const ledger = await ledgerOf(scene)
  const charged = await chargedFor(scene)

  for (const { act, result } of outcomes) assert.match(result, ANSWERS[act] ?? OF_SUBSCRIPTIONS, where)
  for (const { order: one, total, paid } of ledger) {
    const isPaid = one.amountCapturedMinor > one.amountRefundedMinor
    assert.equal(paid, isPaid ? total : 0, `the gateway and order ${one.chargeNo} agree (${where})`)
  }
  const paidOrders = ledger.filter(({ paid }) => paid > 0)
  assert.ok(paidOrders.length <= 1, `charged once (${where})`)
  for (const stop of STOPS) {
    const after = done(stop)?.charged
    // A canceled order's payment by link is refunded: the customer has confirmed it before.
    if (after && paidOrders.length > 0)
      assert.deepEqual(charged, after, `not charged after ${stop} (${where})`)
  }
  if (done('cancel')) assert.equal(status, 'canceled', where)
  if (done('pause') && !done('cancel'))
    assert.ok(['paused', 'canceled'].includes(status), `${status} (${where})`)
  const [second] = await within(scene, (tx) =>
    Charge.in(tx).where({ subscription_id: scene.id, charge_no: 2 }),
  )
  assert.equal(second?.attempts ?? 0, scene.declines, `failed attempts (${where})`)
  const isStopped = [...STOPS, 'a canceled order' as const].some((name) => done(name))
  if (!isStopped) {
    assert.equal(paidOrders.length, 1, `not forgotten (${where})`)
    assert.deepEqual({ status, chargeNo }, { status: 'active', chargeNo: 3 }, where)
  }
  assert.deepEqual(await within(scene, findDiscrepancies), [], where)
}
