import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertTransition } from '#shared/platform/states.ts'
import { DAY_MS, HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { chargeDate, isTrialCharge, nextPosition } from '#shared/recurring-plans/schedule.ts'
import { readStore } from '#shared/stores/store.ts'
import type { Charge } from './charge.ts'
import { SubscriptionErrors } from './errors.ts'
import { SUBSCRIPTION_TRANSITIONS, type SubscriptionStatus } from './states.ts'
import type { Subscription } from './subscription.ts'
import { isAtNextPrice, NO_NEXT_PRICE, unitPriceAt } from './unit-price.ts'

/** A payment whose outcome did not arrive is looked at again after this time. */
const OUTCOME_EXPECTED_WITHIN_MS = HOUR_MS

const assertMay = (subscription: Subscription, to: SubscriptionStatus): void =>
  assertTransition(SUBSCRIPTION_TRANSITIONS, subscription.status, to, SubscriptionErrors.invalidTransition)

/** Gives a subscription a status in which nothing is charged by date. Throws `subscription.invalid_transition`. */
export async function transition(
  tx: StoreTx,
  subscription: Subscription,
  to: 'past_due' | 'suspended' | 'paused',
): Promise<void> {
  assertMay(subscription, to)
  await subscription.change(tx, {
    status: to,
    ...(to === 'paused' ? { nextChargeAt: null } : {}),
    dueAt: null,
  })
}

/** Ends a subscription: no charge follows. Throws `subscription.invalid_transition`. */
export async function endSubscription(
  tx: StoreTx,
  subscription: Subscription,
  to: 'canceled' | 'completed' | 'expired',
): Promise<void> {
  assertMay(subscription, to)
  await subscription.change(tx, { status: to, endedAt: now(), nextChargeAt: null, dueAt: null })
}

/** Waits for the outcome of an attempt. Its event brings it; the time is for a lost one. */
export const awaitOutcome = (
  tx: StoreTx,
  subscription: Subscription,
  expectedBy: Date = inMs(OUTCOME_EXPECTED_WITHIN_MS),
): Promise<void> => subscription.change(tx, { dueAt: expectedBy })

/**
 * Moves a subscription on after a charge: to the next one, or to its end. One that was given up does not count as one
 * of the charges that its plan has.
 */
export async function advanceSubscription(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge,
  { isPaid }: { isPaid: boolean },
): Promise<void> {
  const { position, chargesLeft, status, terms, nextChargeAt } = subscription
  const left = chargesLeft === null || !isPaid ? chargesLeft : chargesLeft - 1
  const hasNextPrice = isAtNextPrice(subscription, nextChargeAt) && !isTrialCharge(terms, position)
  await subscription.change(tx, {
    ...{ chargeNo: charge.chargeNo + 1, chargesLeft: left, position: position + 1 },
    ...(hasNextPrice ? { unitPriceMinor: unitPriceAt(subscription, nextChargeAt), ...NO_NEXT_PRICE } : {}),
  })
  if (left === 0) return endSubscription(tx, subscription, 'completed')
  await activateSubscription(tx, subscription, {
    // Nobody gets at once what a suspended subscription did not deliver.
    skipMissed: status === 'suspended',
    // A charge that was tried for days may be paid when the next one is due.
    notBefore: charge.firstFailedAt ? inMs(DAY_MS) : new Date(charge.createdAt.getTime() + DAY_MS),
  })
}

/**
 * Makes a subscription active with the date of its next charge. A charge that is overdue is made at `notBefore` at the
 * earliest, so that a worker that was down charges once a day at most; `skipMissed` leaves out what is overdue.
 */
export async function activateSubscription(
  tx: StoreTx,
  subscription: Subscription,
  { skipMissed, notBefore = now() }: { skipMissed: boolean; notBefore?: Date },
): Promise<void> {
  if (subscription.status !== 'active') assertMay(subscription, 'active')
  const { timeZone } = await readStore(tx)
  const { terms, scheduleFrom } = subscription
  const time = now()
  const position = skipMissed
    ? nextPosition(terms, scheduleFrom, { position: subscription.position, time, timeZone })
    : subscription.position
  const nextChargeAt = chargeDate(terms, scheduleFrom, position, timeZone)
  const dueAt = nextChargeAt > time || notBefore < nextChargeAt ? nextChargeAt : notBefore
  await subscription.change(tx, { status: 'active', position, nextChargeAt, dueAt, endedAt: null })
}
