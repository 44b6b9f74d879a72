import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertTransition } from '#shared/platform/states.ts'
import { DAY_MS, HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { countTrialCharges, isTrialCharge } from '#shared/recurring-plans/schedule.ts'
import { readStore } from '#shared/stores/store.ts'
import type { Charge } from './charge.ts'
import { SubscriptionErrors } from './errors.ts'
import { nextSchedule } from './next-schedule.ts'
import { SUBSCRIPTION_TRANSITIONS, type SubscriptionStatus } from './states.ts'
import type { Subscription } from './subscription.ts'
import { isAtNextPrice, NO_NEXT_PRICE } from './unit-price.ts'

/** A payment without an outcome is checked again after this time. */
const OUTCOME_EXPECTED_WITHIN_MS = HOUR_MS

const assertCanBecome = (subscription: Subscription, to: SubscriptionStatus): void =>
  assertTransition(SUBSCRIPTION_TRANSITIONS, subscription.status, to, SubscriptionErrors.invalidTransition)

/** Gives a subscription a status in which no date starts a charge. Throws `subscription.invalid_transition`. */
export async function transitionSubscription(
  tx: StoreTx,
  subscription: Subscription,
  to: 'past_due' | 'suspended' | 'paused',
): Promise<Subscription> {
  assertCanBecome(subscription, to)
  return subscription.change(tx, {
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
): Promise<Subscription> {
  assertCanBecome(subscription, to)
  return subscription.change(tx, { status: to, endedAt: now(), nextChargeAt: null, dueAt: null })
}

/**
 * Makes a subscription due again at `expectedBy`, in case the event with the outcome of an attempt is lost. Nothing
 * else is charged until then.
 */
export const scheduleOutcomeCheck = (
  tx: StoreTx,
  subscription: Subscription,
  expectedBy: Date = inMs(OUTCOME_EXPECTED_WITHIN_MS),
): Promise<Subscription> => subscription.change(tx, { dueAt: expectedBy })

/**
 * Moves a subscription to its next charge, or to its end, after a charge. A regular charge that was canceled does not
 * count towards the charges of the plan; one of the trial does.
 */
export async function advanceSubscription(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge,
  { isPaid }: { isPaid: boolean },
): Promise<Subscription> {
  const { position, terms, nextChargeAt } = subscription
  const chargesLeft = chargesLeftAfter(subscription, isPaid)
  const hasNextPrice = isAtNextPrice(subscription, nextChargeAt) && !isTrialCharge(terms, position)
  const advanced = await subscription.change(tx, {
    chargeNo: charge.chargeNo + 1,
    chargesLeft,
    position: position + 1,
    ...(hasNextPrice ? nextPriceOf(subscription) : {}),
  })
  if (chargesLeft === 0) return endSubscription(tx, advanced, 'completed')
  return scheduleNextCharge(tx, advanced, {
    // The deliveries that a subscription missed while it was suspended are not sent together.
    skipMissed: hasNoAttemptLeft(charge),
    // A charge that was retried for days may be paid when the next one is already due.
    notBefore: charge.firstFailedAt ? inMs(DAY_MS) : new Date(charge.createdAt.getTime() + DAY_MS),
  })
}

/** Returns the charges left after the next charge, paid or canceled; null without an end. */
function chargesLeftAfter(subscription: Subscription, isPaid: boolean): number | null {
  const { position, chargesLeft } = subscription
  if (!isPaid) return chargesLeftAt(subscription, position + 1)
  return chargesLeft ? chargesLeft - 1 : chargesLeft
}

/** Whether the last attempt of a charge failed, which suspended the subscription. */
const hasNoAttemptLeft = ({ firstFailedAt, nextAttemptAt }: Charge): boolean =>
  firstFailedAt !== null && nextAttemptAt === null

/** Returns the columns of a subscription whose announced price has begun to apply. */
const nextPriceOf = ({ nextPriceMinor, nextPriceQuantity }: Subscription) =>
  nextPriceMinor === null
    ? {}
    : { unitPriceMinor: nextPriceMinor, priceQuantity: nextPriceQuantity, ...NO_NEXT_PRICE }

/**
 * Gives a subscription the date of its next charge, and makes it active. An overdue charge is made at `notBefore` at
 * the earliest: after a worker was down, customers are charged at most once a day. `skipMissed` skips overdue charges.
 * Skipped charges of the trial are over, and do not become regular ones.
 */
export async function scheduleNextCharge(
  tx: StoreTx,
  subscription: Subscription,
  { skipMissed, notBefore = now() }: { skipMissed: boolean; notBefore?: Date },
): Promise<Subscription> {
  if (subscription.status !== 'active') assertCanBecome(subscription, 'active')
  const { timeZone } = await readStore(tx)
  const schedule = nextSchedule(subscription, { time: now(), timeZone, skipMissed, notBefore })
  const chargesLeft = chargesLeftAt(subscription, schedule.position)
  return subscription.change(tx, { status: 'active', ...schedule, chargesLeft, endedAt: null })
}

/** Returns the charges left at a later position, to which a subscription moves without payments. */
export const chargesLeftAt = (
  { terms, position, chargesLeft }: Subscription,
  laterPosition: number,
): number | null =>
  chargesLeft === null ? null : chargesLeft - countTrialCharges(terms, position, laterPosition)
