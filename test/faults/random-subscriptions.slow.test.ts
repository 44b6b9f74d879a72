import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { Chance } from '#migrations/seeds/year-of-orders/chance.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { findDiscrepancies } from '#shared/reconciliation/find-discrepancies.ts'
import { transitionStore } from '#shared/stores/lifecycle/transition-store.ts'
import { isStoreActive } from '#shared/stores/store.ts'
import { LIVE_SUBSCRIPTION_STATUSES } from '#shared/subscriptions/states.ts'
import { GatewayError } from '#test/sandbox/gateway/errors.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { ACTS } from './random-subscriptions/acts.ts'
import { assertFair, assertGatewayAgrees, type Books, readBooks } from './random-subscriptions/assert-fair.ts'
import {
  deliverEvents,
  openShop,
  passTime,
  runSchedules,
  type Shop,
  type Subscriber,
  subscribe,
} from './random-subscriptions/shop.ts'

// Customers, staff, the gateway and time do things at random to subscriptions. The same seed gives the same steps. The
// long run: SUBSCRIPTION_STEPS=2000 SUBSCRIPTION_SEED=2 npm test -- test/faults/random-subscriptions.slow.test.ts

const STEPS = Number(process.env.SUBSCRIPTION_STEPS ?? 150)
const SEED = process.env.SUBSCRIPTION_SEED ?? '1'
const STEPS_OF_A_SHOP = 150
const STEPS_BETWEEN_RECONCILIATIONS = 25

const UNPAID_STATUSES = ['past_due', 'suspended'] as const
const NAMES = Object.entries(ACTS).flatMap(([name, { weight }]) => Array<string>(weight).fill(name))

/** A subscription that the act is for, nine times of ten. */
function choose(name: string, { subscribers }: Shop, { subscriptions }: Books, chance: Chance): Subscriber {
  const wanted = ACTS[name]?.isOfFailedCharge ? UNPAID_STATUSES : LIVE_SUBSCRIPTION_STATUSES
  const suitable = subscribers.filter(({ id }) => wanted.some((one) => one === subscriptions.get(id)?.status))
  return chance.pick(suitable.length && chance.isTrue(0.9) ? suitable : subscribers)
}

/** Plays an act. Returns whether it was done: the domain and the gateway may refuse it. */
async function isDone(play: () => Promise<unknown>): Promise<boolean> {
  try {
    await play()
    return true
  } catch (error) {
    if (error instanceof CodedError || error instanceof GatewayError) return false
    throw error
  }
}

async function assertBooksAgree({ store }: Shop, step: string): Promise<void> {
  assert.deepEqual(await inStore(store.id, findDiscrepancies), [], step)
}

/** Opens the store, delivers all events and runs all schedules. */
async function finish(shop: Shop): Promise<void> {
  gateway.faults.clear()
  await inStore(shop.store.id, async (tx) => (await isStoreActive(tx)) || transitionStore(tx, 'active'))
  for (let run = 0; run < 4; run++) {
    await deliverEvents(shop)
    await runSchedules()
    passTime(shop, 2 * HOUR_MS)
  }
}

for (let first = 0; first < STEPS; first += STEPS_OF_A_SHOP)
  test(`random steps from ${first + 1} (seed ${SEED}) charge no subscription too much, twice or after its end`, async (t) => {
    const chance = new Chance(`${SEED} ${first}`)
    const shop = await openShop()
    for (const planId of shop.planIds) await subscribe(shop, { planId, quantity: 1 + chance.below(4) })
    const done = new Set<string>()

    let books = await readBooks(shop)
    for (let number = first + 1; number <= Math.min(STEPS, first + STEPS_OF_A_SHOP); number++) {
      const name = chance.pick(NAMES)
      const step = `step ${number}, ${name}`
      const subscriber = choose(name, shop, books, chance)
      if (await isDone(async () => ACTS[name]?.play(shop, subscriber, chance))) done.add(name)
      const after = await readBooks(shop)
      await assertFair(shop, books, after, step)
      if (number % STEPS_BETWEEN_RECONCILIATIONS === 0) await assertBooksAgree(shop, step)
      books = after
    }
    await finish(shop)

    await assertBooksAgree(shop, 'the end')
    const ended = await readBooks(shop)
    assertGatewayAgrees(ended)
    const charged = ended.orders.filter((one) => one.chargeNo !== 1 && one.amountCapturedMinor > 0n)
    t.diagnostic(
      `${ended.orders.length} orders, ${charged.length} later charges; refused: ${Object.keys(ACTS)
        .filter((name) => !done.has(name))
        .join(', ')}`,
    )
    assert.ok(charged.length > 5, 'control: subscriptions were charged')
    assert.ok(done.size > NAMES.length / 10, 'control: most kinds of acts were done')
  })
