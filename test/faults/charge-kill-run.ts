import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { cancelPayment, chargeSavedCard, closePayments } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { chargeSubscription, settleCharges } from '#shared/subscriptions/jobs.ts'
import { cancelSubscription } from '#shared/subscriptions/lifecycle/cancel-subscription.ts'
import { lockSubscription, Subscription } from '#shared/subscriptions/subscription.ts'
import { type Gateway, startGateway } from '#test/sandbox/gateway/gateway.ts'
import { changeBehaviour } from '#test/sandbox/gateway/payment-methods.ts'
import { buildCardSubscription } from '#test/support/builders/card-subscriptions.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { auditCharges, type ChargeAudit, type Charged, capturedOf } from './audit-charges.ts'
import { openInstallation } from './installation.ts'
import { Killer, type Point } from './killer.ts'
import { superviseQuickly } from './supervise-quickly.ts'
import { WorkerPool } from './worker-pool.ts'

export interface ChargeKillRun {
  /** Workers to kill around the call of the gateway. Others are killed at any moment. */
  kills: number
  /** The control: a gateway that does each call as often as it comes, as with a new key for every try. */
  ignoreIdempotencyKeys?: boolean
  onKill?: (killed: number) => void
}

export interface ChargeKillReport extends ChargeAudit {
  kills: Record<Point | 'anywhere', number>
  seconds: number
}

const STORES = 4
const SUBSCRIPTIONS_PER_STORE = 3
const WORKERS = 3
// On a busy machine an attempt takes longer than the second after which it is tried again, often many times in a row.
const LONGEST_MS = 900_000
const POLL_MS = 100
const KILL_ANYWHERE_AFTER_MS = 8_000

/**
 * Charges saved cards over and over, through real worker processes and a real gateway over HTTP, and kills the workers.
 * Some cards are declined at first, and some subscriptions are canceled while they are charged. Then compares each
 * charge with the gateway's ledger.
 */
export async function runChargeKills({
  kills,
  ignoreIdempotencyKeys = false,
  onKill,
}: ChargeKillRun): Promise<ChargeKillReport> {
  const started = performance.now()
  const gateway = await startGateway({ secretKey: 'sk_test_sandbox_gateway', ignoreIdempotencyKeys })
  await using _gateway = { [Symbol.asyncDispose]: () => gateway.stop() }
  await using installation = await openInstallation({ durable: false }, { STRIPE_API_URL: gateway.url })
  await using _supervisor = await superviseQuickly([
    ...[chargeSubscription, chargeSavedCard, settleCharges],
    ...[closePayments, cancelPayment, publishEvents],
  ])
  const stores: { id: string }[] = []
  for (let n = 0; n < STORES; n++) stores.push(await buildStore())
  await using workers = new WorkerPool(WORKERS, installation.env)
  const killer = new Killer(gateway, workers, {
    path: '/v1/payment_intents',
    wasMade: ({ payment_intents }, key) =>
      payment_intents.some(({ metadata }) => metadata.payment_id === key),
    target: kills,
    onKill,
  })

  const charged: Charged[] = []
  const isDone = () => killer.isDone
  const charging = stores.flatMap((store) =>
    Array.from({ length: SUBSCRIPTIONS_PER_STORE }, (_, n) =>
      chargeOverAndOver({ gateway, store, charged, isDeclinedFirst: n === 0, isCanceled: n === 1, isDone }),
    ),
  )
  const anywhere = killAnywhere(workers, isDone)
  await Promise.race([Promise.all([...charging, anywhere]), workers.broken])
  return {
    ...(await auditCharges(gateway, charged)),
    kills: { ...killer.kills, anywhere: await anywhere },
    seconds: (performance.now() - started) / 1000,
  }
}

/** Kills workers at any moment: before an order is committed, before its charge is sent, or after its outcome. */
async function killAnywhere(workers: WorkerPool, isDone: () => boolean): Promise<number> {
  let killed = 0
  while (!isDone()) {
    await delay(Math.random() * 2 * KILL_ANYWHERE_AFTER_MS)
    if (workers.killAny()) killed += 1
  }
  return killed
}

interface Line {
  gateway: Gateway
  store: { id: string }
  charged: Charged[]
  isDeclinedFirst: boolean
  /** Its subscriptions are canceled while they are charged, and replaced by new ones. */
  isCanceled: boolean
  isDone: () => boolean
}

/** Charges a subscription until the run ends. */
async function chargeOverAndOver(line: Line): Promise<void> {
  const { gateway, store, charged, isDone } = line
  while (!isDone()) {
    const { id, card } = await buildCardSubscription(gateway, store)
    const one: Charged = { storeId: store.id, subscriptionId: id, requested: [], chargedAtCancel: null }
    charged.push(one)
    while (!isDone() && !one.chargedAtCancel) {
      const decline = (charges: 'decline' | 'succeed') =>
        gateway.change((context) => changeBehaviour(context, card.reference, { charges }))
      if (line.isDeclinedFirst) decline('decline')
      one.requested.push(await makeDue(one))
      if (line.isCanceled) {
        await delay(Math.random() * 1_000)
        await cancel(gateway, one)
      } else if (line.isDeclinedFirst) {
        await untilSubscription(one, ({ status }) => status === 'past_due')
        decline('succeed')
        await makeDue(one)
        await untilCharged(one)
      } else await untilCharged(one)
    }
  }
}

/** Makes the next charge, or the next attempt at it, due now. Returns its number. */
const makeDue = ({ storeId, subscriptionId }: Charged): Promise<number> =>
  inStore(storeId, async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId)
    await subscription.change(tx, { dueAt: now() })
    await enqueue(tx, chargeSubscription, { subscriptionId })
    return subscription.chargeNo
  })

const untilCharged = (one: Charged): Promise<void> =>
  untilSubscription(one, ({ chargeNo }) => chargeNo > (one.requested.at(-1) ?? 0))

async function untilSubscription(
  { storeId, subscriptionId }: Charged,
  holds: (subscription: Subscription) => boolean,
): Promise<void> {
  const deadline = performance.now() + LONGEST_MS
  for (;;) {
    const subscription = await inStore(storeId, (tx) =>
      Subscription.in(tx).findById(subscriptionId).throwIfNotFound(),
    )
    if (holds(subscription)) return
    if (performance.now() > deadline)
      throw new Error(`Not charged in time: ${inspect(await describe(storeId, subscription))}`)
    await delay(POLL_MS)
  }
}

/** What a run that stopped needs to be understood: the subscription, its charges and all open jobs. */
const describe = (storeId: string, subscription: Subscription) =>
  inStore(storeId, async ({ knex }) => ({
    subscription,
    charges: await knex('subscription_charges').where({ subscription_id: subscription.id }),
    jobs: await knex('pgboss.job').whereIn('state', ['created', 'retry', 'active', 'failed']),
  }))

/** Cancels a subscription; one that is charged at this moment, as soon as the charge has ended. */
async function cancel(gateway: Gateway, one: Charged): Promise<void> {
  for (;;) {
    try {
      const change = { actor: 'system', at: 'now' } as const
      await inStore(one.storeId, (tx) => cancelSubscription(tx, one.subscriptionId, change))
      one.chargedAtCancel = await capturedOf(gateway, one)
      return
    } catch (error) {
      if (!(error instanceof CodedError) || error.code !== 'subscription.charge_in_progress') throw error
      await delay(POLL_MS)
    }
  }
}
