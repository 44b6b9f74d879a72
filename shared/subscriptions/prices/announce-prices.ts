import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { chargeDate, nextPosition } from '#shared/recurring-plans/schedule.ts'
import { readStore } from '#shared/stores/store.ts'
import { lockSettled } from '../charges/lock-settled.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '../events.ts'
import { applyPrice } from '../jobs.ts'
import { ENDED_STATUSES } from '../states.ts'
import type { Subscription } from '../subscription.ts'
import { NO_NEXT_PRICE } from '../unit-price.ts'
import { findVariantPrice } from '../variant-price.ts'
import { PriceChange, runningSubscriptions } from './price-change.ts'

/** The subscriptions of one batch, which is one transaction. */
const BATCH = 50

/** A new price of a subscription, for the mail to its customer. Minor units. */
export interface AnnouncedPrice {
  subscription: Subscription
  /** The price before, and until `from`. */
  oldPriceMinor: bigint
  /** Equal to the old price when an announced price is withdrawn. */
  newPriceMinor: bigint
  /** The date of the first charge at the new price. */
  from: Date
}

/**
 * Gives the next batch of a plan's subscriptions its new price, and enqueues the batch after it. Returns the prices to
 * mail in the same transaction: a batch that dies is repeated as a whole, and a committed one is not.
 */
export async function announcePrices(tx: StoreTx, priceChangeId: string): Promise<AnnouncedPrice[]> {
  const change = await PriceChange.in(tx).findById(priceChangeId).forNoKeyUpdate()
  if (!change || change.finishedAt) return []
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
  if (!isLast) await enqueue(tx, applyPrice, { priceChangeId })
  return announced
}

const nextBatch = (
  tx: StoreTx,
  { recurringPlanId, lastSubscriptionId }: PriceChange,
): PromiseLike<Subscription[]> => {
  const query = runningSubscriptions(tx, recurringPlanId).orderBy('id').limit(BATCH)
  return lastSubscriptionId ? query.where('id', '>', lastSubscriptionId) : query
}

/** Announces the price of one subscription. Null when nothing changes for its customer. */
async function announcePrice(tx: StoreTx, id: string, change: PriceChange): Promise<AnnouncedPrice | null> {
  const { subscription } = await lockSettled(tx, id)
  // The customer may have changed to another plan since the batch was read.
  if (subscription.recurringPlanId !== change.recurringPlanId) return null
  if (ENDED_STATUSES.has(subscription.status) || subscription.cancelsAtPeriodEnd) return null
  const newPriceMinor = await priceOf(tx, subscription, change)
  if (newPriceMinor === null) return null
  const { unitPriceMinor: oldPriceMinor, nextPriceMinor, nextPriceFrom } = subscription
  const announced = { subscription, oldPriceMinor, newPriceMinor }
  if (newPriceMinor === oldPriceMinor) {
    if (nextPriceMinor === null) return null
    await changePrice(tx, subscription, NO_NEXT_PRICE)
    return { ...announced, from: change.startsAt }
  }
  const isKnown = newPriceMinor === nextPriceMinor && nextPriceFrom?.getTime() === change.startsAt.getTime()
  const from = await firstChargeFrom(tx, subscription, change.startsAt)
  if (isKnown || from === null) return null
  await changePrice(tx, subscription, { nextPriceMinor: newPriceMinor, nextPriceFrom: change.startsAt })
  return { ...announced, from }
}

async function changePrice(
  tx: StoreTx,
  subscription: Subscription,
  changes: Pick<Subscription, 'nextPriceMinor' | 'nextPriceFrom'>,
): Promise<void> {
  await subscription.change(tx, changes)
  await emitSubscriptionEvent(tx, SubscriptionEvents.updated, subscription)
}

/** The new price. Null for a variant that is gone. */
const priceOf = async (
  tx: StoreTx,
  subscription: Subscription,
  { priceMinor }: PriceChange,
): Promise<bigint | null> => priceMinor ?? (await findVariantPrice(tx, subscription)) ?? null

/** The date of the first charge after the trial at `time` or later. Null when the subscription ends before. */
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
