import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { isRefusal } from '#shared/platform/errors.ts'
import { readStore } from '#shared/stores/store.ts'
import { assertNotice } from '#shared/subscriptions/assert-notice.ts'
import { draftCharge } from '#shared/subscriptions/charges/draft-charge.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { type Cost, costsMore } from './costs-more.ts'
import type { SubscriptionChange } from './subscription-change.ts'
import { type SubscriptionChanges, updateSubscription } from './update-subscription.ts'

/**
 * Changes a subscription for staff. Throws the errors of `updateSubscription`, and `subscription.notice_required` for a
 * change by which the customer pays more, if the next charge is due before the notice of it ends. A new price of a plan
 * needs the same notice.
 */
export async function updateSubscriptionByStaff(
  tx: StoreTx,
  id: string,
  changes: SubscriptionChanges,
  { ifMatch }: { ifMatch?: string | undefined },
): Promise<SubscriptionChange> {
  const change = await updateSubscription(tx, id, changes, { ifMatch })
  const { before, after } = change
  if (costsMore(await costOf(tx, before), await costOf(tx, after))) await assertNotice(tx, after)
  return change
}

const costOf = async (tx: StoreTx, subscription: Subscription): Promise<Cost> => {
  const { unitPriceMinor, nextPriceMinor, quantity, terms, chargesLeft } = subscription
  const nextTotalMinor = await nextTotalOf(tx, subscription)
  return { unitPriceMinor, nextPriceMinor, quantity, terms, chargesLeft, nextTotalMinor }
}

async function nextTotalOf(tx: StoreTx, subscription: Subscription): Promise<bigint | null> {
  try {
    return (await draftCharge(tx, await readStore(tx), subscription)).details.totalMinor
  } catch (error) {
    if (!isRefusal(error)) throw error
    return null
  }
}
