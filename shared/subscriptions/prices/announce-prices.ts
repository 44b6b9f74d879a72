import { hasMailBacklog } from '#shared/mail/mail-backlog.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { inMs, now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { chargeDate, nextPosition } from '#shared/recurring-plans/schedule.ts'
import { readStore } from '#shared/stores/store.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import { announcePrices as job } from '#shared/subscriptions/jobs.ts'
import { priceOfPlan } from '#shared/subscriptions/price-of-plan.ts'
import { ENDED_SUBSCRIPTION_STATUSES } from '#shared/subscriptions/states.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { NO_NEXT_PRICE } from '#shared/subscriptions/unit-price.ts'
import { PriceChange, runningSubscriptions } from './price-change.ts'

/** The number of subscriptions in a batch. Each batch is one transaction. */
const BATCH = 50
/** The pause before a batch while the store has a backlog of mails. It is too short to send the whole backlog. */
const PAUSE_MS = 10 * SECOND_MS

/** A new price of a subscription for the mail to its customer, in minor units. */
export interface AnnouncedPrice {
  subscription: Subscription
  /** The price until `from`. */
  oldPriceMinor: bigint
  /** Equal to the old price if an announced price is revoked. */
  newPriceMinor: bigint
  /** The date of the first charge at the new price. */
  from: Date
}

/**
 * Announces a plan's new price to the next batch of its subscriptions, and enqueues the batch after it. Returns the
 * prices to mail in the same transaction: a batch that fails is repeated as a whole, and a committed one never. While
 * the store has a backlog of mails, the batch waits.
 */
export async function announcePrices(tx: StoreTx, priceChangeId: string): Promise<AnnouncedPrice[]> {
  const change = await PriceChange.in(tx).findById(priceChangeId).forNoKeyUpdate()
  if (!change || change.finishedAt) return []
  if (await hasMailBacklog(tx)) {
    await enqueue(tx, job, { priceChangeId }, { startAfter: inMs(PAUSE_MS) })
    return []
  }
  const batch = await nextBatch(tx, change)
  const announced: AnnouncedPrice[] = []
  for (const { id } of batch) {
    const price = await announcePrice(tx, id, change)
    if (price) announced.push(price)
  }
  const isLast = batch.length < BATCH
  await PriceChange.in(tx)
    .findById(change.id)
    .patch({
      lastSubscriptionId: batch.at(-1)?.id ?? change.lastSubscriptionId,
      finishedAt: isLast ? now() : null,
    })
  if (!isLast) await enqueue(tx, job, { priceChangeId })
  return announced
}

const nextBatch = (
  tx: StoreTx,
  { recurringPlanId, lastSubscriptionId }: PriceChange,
): PromiseLike<Pick<Subscription, 'id'>[]> => {
  const query = runningSubscriptions(tx, recurringPlanId).select('id').orderBy('id').limit(BATCH)
  return lastSubscriptionId ? query.where('id', '>', lastSubscriptionId) : query
}

/** Announces the new price of one subscription. Null if nothing changes for its customer. */
async function announcePrice(tx: StoreTx, id: string, change: PriceChange): Promise<AnnouncedPrice | null> {
  const { subscription } = await lockAndSettleCharge(tx, id)
  // The customer may have switched to another plan since the batch was read.
  if (subscription.recurringPlanId !== change.recurringPlanId) return null
  if (ENDED_SUBSCRIPTION_STATUSES.has(subscription.status) || subscription.cancelsAtPeriodEnd) return null
  const price = await priceOfPlan(tx, subscription, change.priceMinor)
  if (!price) return null
  const { unitPriceMinor: newPriceMinor, priceQuantity: nextPriceQuantity } = price
  const { unitPriceMinor: oldPriceMinor, nextPriceMinor, nextPriceFrom } = subscription
  if (newPriceMinor === oldPriceMinor) return revokeNextPrice(tx, subscription, change)
  const isKnown = newPriceMinor === nextPriceMinor && nextPriceFrom?.getTime() === change.startsAt.getTime()
  const from = await firstChargeFrom(tx, subscription, change.startsAt)
  if (isKnown || from === null) return null
  const next = { nextPriceMinor: newPriceMinor, nextPriceQuantity, nextPriceFrom: change.startsAt }
  return { oldPriceMinor, newPriceMinor, subscription: await changePrice(tx, subscription, next), from }
}

/** Revokes the announced price of a subscription. Null if none is announced. */
async function revokeNextPrice(
  tx: StoreTx,
  subscription: Subscription,
  { startsAt }: PriceChange,
): Promise<AnnouncedPrice | null> {
  if (subscription.nextPriceMinor === null) return null
  const revoked = await changePrice(tx, subscription, NO_NEXT_PRICE)
  const { unitPriceMinor } = subscription
  return {
    oldPriceMinor: unitPriceMinor,
    newPriceMinor: unitPriceMinor,
    subscription: revoked,
    from: startsAt,
  }
}

async function changePrice(
  tx: StoreTx,
  subscription: Subscription,
  changes: Pick<Subscription, 'nextPriceMinor' | 'nextPriceQuantity' | 'nextPriceFrom'>,
): Promise<Subscription> {
  const changed = await subscription.change(tx, changes)
  await emitSubscriptionEvent(tx, SubscriptionEvents.updated, changed)
  return changed
}

/** Returns the date of the first regular charge at `time` or later; null if the subscription ends before. */
async function firstChargeFrom(
  tx: StoreTx,
  { terms, scheduleFrom, position, chargesLeft }: Subscription,
  time: Date,
): Promise<Date | null> {
  const { timeZone } = await readStore(tx)
  const regular = Math.max(position, terms.trial?.cycle ?? 0)
  const before = new Date(time.getTime() - 1)
  const first = nextPosition(terms, scheduleFrom, { position: regular, time: before, timeZone })
  const isAfterEnd = chargesLeft !== null && first - position >= chargesLeft
  return isAfterEnd ? null : chargeDate(terms, scheduleFrom, first, timeZone)
}
