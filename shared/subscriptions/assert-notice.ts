import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { now } from '#shared/platform/time/clock.ts'
import { readStore } from '#shared/stores/store.ts'
import { SubscriptionErrors } from './errors.ts'
import { nextSchedule } from './next-schedule.ts'
import { NOTICE_DAYS, noticeEndsAt } from './notice.ts'
import type { Subscription } from './subscription.ts'

/** Throws `subscription.notice_required` if a subscription can be charged before a notice of today ends. */
export async function assertNotice(tx: StoreTx, subscription: Subscription): Promise<void> {
  const chargeAt = await earliestChargeAt(tx, subscription)
  const from = noticeEndsAt()
  if (chargeAt >= from) return
  throw SubscriptionErrors.noticeRequired({
    days: NOTICE_DAYS,
    chargeAt: toTimestamp(chargeAt),
    from: toTimestamp(from),
  })
}

/** Returns the date of the next charge. Without one, it is the date that follows if the subscription is active now. */
async function earliestChargeAt(tx: StoreTx, subscription: Subscription): Promise<Date> {
  if (subscription.nextChargeAt) return subscription.nextChargeAt
  const { timeZone } = await readStore(tx)
  const time = now()
  return nextSchedule(subscription, { time, timeZone, skipMissed: true, notBefore: time }).nextChargeAt
}
