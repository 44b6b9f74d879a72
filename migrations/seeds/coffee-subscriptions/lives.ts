import { expire as expireOrder } from '#migrations/seeds/year-of-orders/order-steps.ts'
import { release, wait } from '#migrations/seeds/year-of-orders/past-order.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import {
  activate,
  addCharge,
  chargeUntil,
  dateOfNext,
  type PastSubscription,
  placeCharge,
} from './past-subscription.ts'
import type { PlanName } from './plans.ts'

/** What becomes of a subscription. */
export interface SubscriptionLife {
  plan: PlanName
  /** The age of the subscription. */
  days: number
  quantity?: number
  /** Play money by default: a worker can charge it. The gateway has no card of the past. */
  paymentMethod?: 'sandbox' | 'card'
  live: (past: PastSubscription) => void
}

const daysBefore = ({ year }: PastSubscription, days: number) =>
  new Date(year.until.getTime() - days * DAY_MS)

function keep(past: PastSubscription): void {
  chargeUntil(past, past.year.until)
  activate(past)
}

function keepToPeriodEnd(past: PastSubscription): void {
  keep(past)
  const at = daysBefore(past, 2)
  Object.assign(past.subscription, { cancelsAtPeriodEnd: true, updatedAt: at })
}

const pause =
  (days: number) =>
  (past: PastSubscription): void => {
    const at = daysBefore(past, days)
    chargeUntil(past, at)
    Object.assign(past.subscription, { status: 'paused', updatedAt: at })
  }

const cancel =
  (days: number) =>
  (past: PastSubscription): void => {
    const at = daysBefore(past, days)
    chargeUntil(past, at)
    Object.assign(past.subscription, { status: 'canceled', endedAt: at, updatedAt: at })
  }

function complete(past: PastSubscription): void {
  chargeUntil(past, past.year.until)
  const { subscription } = past
  Object.assign(subscription, { status: 'completed', endedAt: subscription.updatedAt })
}

/**
 * Fails a charge because the stock was short: on its date and `retryDays` later. The next attempt is on `nextDay`, in
 * days after the date; null: there is none, and the subscription is suspended.
 */
const fail =
  ({ days, retryDays, nextDay }: { days: number; retryDays: number[]; nextDay: number | null }) =>
  (past: PastSubscription): void => {
    chargeUntil(past, daysBefore(past, days + 1))
    const date = dateOfNext(past)
    const dayAfter = (day: number) => new Date(date.getTime() + day * DAY_MS)
    const nextAttemptAt = nextDay === null ? null : dayAfter(nextDay)
    addCharge(past, {
      orderId: null,
      createdAt: date,
      firstFailedAt: date,
      attempts: 1 + retryDays.length,
      failureKind: 'order',
      failureReason: StockErrors.insufficientStock.kind.code,
      nextAttemptAt,
    })
    Object.assign(past.subscription, {
      status: nextAttemptAt ? 'past_due' : 'suspended',
      nextChargeAt: date,
      dueAt: nextAttemptAt,
      updatedAt: dayAfter(retryDays.at(-1) ?? 0),
    })
  }

/** Leaves the first order unpaid: it can be paid while its goods are available. */
function awaitPayment(past: PastSubscription): void {
  const first = placeCharge(past)
  release(first)
  addCharge(past, { orderId: first.order.id, createdAt: first.order.createdAt })
  past.subscription.dueAt = daysBefore(past, -30)
}

function expire(past: PastSubscription): void {
  const first = placeCharge(past)
  addCharge(past, { orderId: first.order.id, createdAt: first.order.createdAt })
  wait(first, 24)
  expireOrder(first)
  Object.assign(past.subscription, { status: 'expired', endedAt: first.at, updatedAt: first.at })
}

const HALF_A_DAY = 0.5
const UNPAID = { paymentMethod: 'card' } as const

/**
 * Subscriptions in every status; most of them continue. A weekly subscription that began `days` ago is charged at the
 * time of day at which it began.
 */
export const LIVES: readonly SubscriptionLife[] = [
  { plan: 'monthly', days: 320, live: keep },
  { plan: 'weekly', days: 151, live: keep },
  { plan: 'three', days: 130, live: complete },
  { plan: 'monthly', days: 250, live: cancel(90) },
  { plan: 'yearly', days: 300, quantity: 3, live: keep },
  {
    plan: 'weekly',
    days: 42 + 3 + HALF_A_DAY,
    live: fail({ days: 3 + HALF_A_DAY, retryDays: [1, 3], nextDay: 5 }),
  },
  { plan: 'weekly', days: 42 + 10, live: fail({ days: 10, retryDays: [1, 3, 5, 7], nextDay: null }) },
  { plan: 'monthly', days: 110, quantity: 2, live: keep },
  { plan: 'three', days: 160, quantity: 2, live: complete },
  { plan: 'monthly', days: 100, live: pause(20) },
  { plan: 'monthly', days: 80, live: keepToPeriodEnd },
  { plan: 'weekly', days: 120, live: cancel(50) },
  { plan: 'three', days: 40, live: keep },
  { plan: 'yearly', days: 33, live: keep },
  { plan: 'weekly', days: 14 + HALF_A_DAY, live: fail({ days: HALF_A_DAY, retryDays: [], nextDay: 1 }) },
  { plan: 'three', days: 15, ...UNPAID, live: expire },
  // Its free month has not ended.
  { plan: 'monthly', days: 10, live: keep },
  { plan: 'monthly', days: 0.1, ...UNPAID, live: awaitPayment },
]
