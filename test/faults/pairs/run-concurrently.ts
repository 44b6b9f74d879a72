import assert from 'node:assert/strict'
import { lockOrder } from '#shared/orders/order.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { DAY_MS, inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { findDiscrepancies } from '#shared/reconciliation/find-discrepancies.ts'
import { findRefundsWithoutJob } from '#shared/refunds/gateway/find-refunds-without-job.ts'
import type { Play } from '#test/faults/histories/play.ts'
import { playStep } from '#test/faults/histories/play-step.ts'
import { openShop, passTime, runJobs, runSchedule, type Terms } from '#test/faults/histories/shop.ts'
import { GatewayError } from '#test/sandbox/gateway/errors.ts'
import { compareWithGateway } from '#test/support/books/compare-with-gateway.ts'
import { superuser } from '#test/support/database.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { pending } from '#test/support/races/overlap.ts'
import { until } from '#test/support/races/until.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { ACTS, type ActName, type ActStep, type Sale } from './acts.ts'
import { differenceOfMoney } from './difference-of-money.ts'
import { differenceOfVouchers } from './difference-of-vouchers.ts'
import { SITUATIONS, type Situation } from './situations.ts'

/** Two acts on an order, and whose step is next: 'a', 'b', or 'both' for one step of each at the same moment. */
export interface Pair {
  terms: Terms
  situation: Situation
  acts: readonly [ActName, ActName]
  turns: readonly ('a' | 'b' | 'both')[]
}

/** Plays a pair of acts. Every invariant holds after each turn, and all books agree with the gateway at the end. */
export async function runConcurrently({ terms, situation, acts: [a, b], turns }: Pair): Promise<void> {
  const play: Play = { shop: await openShop(terms, [9, 9]), orders: [], delivered: 0, errors: [] }
  for (const step of SITUATIONS[situation]) await playStep(play, step)
  if (situation === 'takenBack') passTime(DAY_MS + MINUTE_MS)
  const sale: Sale = { storeId: play.shop.store.id, orderId: play.orders[0]?.id ?? '' }
  const [stepsOfA, stepsOfB] = [ACTS[a](sale), ACTS[b](sale)]
  for (const turn of turns) {
    if (turn === 'a') await attempt(stepsOfA.shift())
    else if (turn === 'b') await attempt(stepsOfB.shift())
    else await meet(sale, stepsOfA.shift(), stepsOfB.shift())
    assert.deepEqual(await differences(sale), [], `after the turn ${turn}`)
    assert.deepEqual(await withdrawnWrongly(sale), null, `after the turn ${turn}`)
  }
  await playStep(play, { kind: 'deliver', how: 'once' })
  passTime(10 * MINUTE_MS)
  play.errors.push(...(await runSchedule()), ...(await runJobs()))
  assert.deepEqual(play.errors, [])
  assert.deepEqual(await differences(sale), [])
  assert.deepEqual(await withdrawnWrongly(sale), null)
  const window = { from: play.shop.startedAt, to: inMs(DAY_MS) }
  assert.deepEqual(await compareWithGateway(stripeGateway(), sale.storeId, window), [])
  assert.deepEqual(await findRefundsWithoutJob(inMs(0)), [], 'refunds in progress without a job')
  assert.deepEqual(
    await inStore(sale.storeId, (tx) => differenceOfMoney(tx, sale.orderId, gateway.ledger())),
    null,
  )
}

const differences = ({ storeId }: Sale) => inStore(storeId, findDiscrepancies)

const withdrawnWrongly = ({ storeId, orderId }: Sale) =>
  inStore(storeId, (tx) => differenceOfVouchers(tx, orderId))

/** Runs a step. A refusal by the domain or by the gateway is an outcome; any other error is thrown. */
async function attempt(step: ActStep | undefined): Promise<void> {
  try {
    await step?.()
  } catch (error) {
    if (!(error instanceof CodedError) && !(error instanceof GatewayError)) throw error
  }
}

/** Runs two steps at the same moment: both wait for the order's lock, the first one gets it first. */
async function meet(sale: Sale, first: ActStep | undefined, second: ActStep | undefined): Promise<void> {
  const within = (work: Parameters<typeof inStore<void>>[1]) => inStore(sale.storeId, work)
  const held = await pending(within, (tx) => lockOrder(tx, sale.orderId))
  let waiting = 0
  const running: Promise<void>[] = []
  for (const step of [first, second]) {
    let isOver = false
    const end = () => {
      isOver = true
    }
    running.push(attempt(step).finally(end))
    await until('a step waits for the lock, or is over', async () => {
      return isOver || (await countWaiting()) > waiting
    })
    if (!isOver) waiting += 1
  }
  held.commit()
  await Promise.all([held.done, ...running])
}

const WAITING =
  "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

const countWaiting = async (): Promise<number> => (await superuser.query(WAITING)).rows.length
