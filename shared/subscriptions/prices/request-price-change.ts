import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { requireQuotaIn } from '#shared/platform/throttle/quota.ts'
import { DAY_MS, HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { lockRecurringPlan } from '#shared/recurring-plans/recurring-plan.ts'
import { announcePrices } from '#shared/subscriptions/jobs.ts'
import { NOTICE_DAYS, noticeEndsAt } from '#shared/subscriptions/notice.ts'
import { PriceChange, runningSubscriptions } from './price-change.ts'

/** How many days ahead a price can start at most. */
const MAX_DAYS_AHEAD = 731

/** Each request mails all customers of the plan. */
const MAX_REQUESTS_PER_HOUR = 20

export interface RequestedPriceChange {
  change: PriceChange
  /** The number of running subscriptions. */
  subscriptions: number
}

/**
 * Requests the current price of a plan for its running subscriptions, from their first charge at `from` or later. A job
 * changes them. By default `from` is in `NOTICE_DAYS`. The request replaces an earlier one of the plan. Throws
 * `resource.not_found`, 422 for a time less than `NOTICE_DAYS` ahead, and 429 past 20 requests for a plan within an
 * hour.
 */
export async function requestPriceChange(
  tx: StoreTx,
  planId: string,
  from?: Date,
): Promise<RequestedPriceChange> {
  const { id, priceMinor } = await lockRecurringPlan(tx, planId)
  const earliest = noticeEndsAt()
  const startsAt = from ?? earliest
  if (startsAt < earliest)
    throw invalid(
      ['from'],
      `Choose a time at least ${NOTICE_DAYS} days ahead: customers are notified first`,
      startsAt.toISOString(),
    )
  if (startsAt > inMs(MAX_DAYS_AHEAD * DAY_MS))
    throw invalid(['from'], `Choose a time at most ${MAX_DAYS_AHEAD} days ahead`, startsAt.toISOString())
  await assertMayRequest(tx, id)
  const at = now()
  await PriceChange.in(tx).where('recurring_plan_id', id).whereNull('finished_at').patch({ finishedAt: at })
  const change = await PriceChange.in(tx).insertAndFetch({
    recurringPlanId: id,
    priceMinor,
    startsAt,
    lastSubscriptionId: null,
    finishedAt: null,
    createdAt: at,
  })
  await enqueue(tx, announcePrices, { priceChangeId: change.id })
  return { change, subscriptions: await runningSubscriptions(tx, id).resultSize() }
}

/** Throws 429 past the requests of an hour. */
const assertMayRequest = (tx: StoreTx, planId: string): Promise<void> =>
  requireQuotaIn(tx, `price changes ${tx.storeId} ${planId}`, {
    limit: MAX_REQUESTS_PER_HOUR,
    windowMs: HOUR_MS,
  })
