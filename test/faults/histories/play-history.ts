import assert from 'node:assert/strict'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { findDiscrepancies } from '#shared/reconciliation/find-discrepancies.ts'
import { findRefundsWithoutJob } from '#shared/refunds/gateway/find-refunds-without-job.ts'
import { compareWithGateway } from '#test/support/books/compare-with-gateway.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import type { History } from './draw-history.ts'
import type { Play } from './play.ts'
import { playStep } from './play-step.ts'
import { openShop, passTime, runJobs, runSchedule } from './shop.ts'

/**
 * The invariant that a lost event breaks until the schedule reads it: a refund has failed, the buyer was refunded
 * again, and only the second event has arrived.
 */
const BROKEN_BY_LOST_EVENT = 'payment.refunded'

/** Plays a history, lets its schedules run for half an hour, and asserts that all books agree. */
export async function playHistory({ terms, stock, steps }: History): Promise<void> {
  const play: Play = { shop: await openShop(terms, stock), orders: [], delivered: 0, errors: [] }
  for (const step of steps) await playStep(play, step)
  const early = await differences(play)
  assert.deepEqual(
    early.filter(({ invariant }) => invariant !== BROKEN_BY_LOST_EVENT),
    [],
  )
  gateway.faults.clear()
  for (let run = 0; run < 3; run++) {
    passTime(10 * MINUTE_MS)
    play.errors.push(...(await runSchedule()), ...(await runJobs()))
  }
  assert.deepEqual(play.errors, [])
  assert.deepEqual(await differences(play), [])
  const window = { from: play.shop.startedAt, to: inMs(DAY_MS) }
  assert.deepEqual(await compareWithGateway(stripeGateway(), play.shop.store.id, window), [])
  assert.deepEqual(await findRefundsWithoutJob(inMs(0)), [], 'refunds in progress without a job')
}

const differences = ({ shop }: Play) => inStore(shop.store.id, findDiscrepancies)
