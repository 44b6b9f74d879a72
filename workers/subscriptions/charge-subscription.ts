import { inStore } from '#shared/platform/db/store-scope.ts'
import { isRefusal } from '#shared/platform/errors.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { chargeSubscription as job } from '#shared/subscriptions/jobs.ts'
import {
  chargeSubscription as chargeDue,
  recordUnplacedCharge,
} from '#shared/subscriptions/lifecycle/charge-subscription.ts'
import { handle } from '#workers/platform/handle.ts'

/**
 * Charges a due subscription. A charge that cannot be ordered, e.g. because the stock is short, counts as a failed
 * attempt.
 */
export const chargeSubscription = handle(job, async ({ storeId, subscriptionId }) => {
  try {
    await inStore(storeId, (tx) => chargeDue(tx, subscriptionId))
  } catch (error) {
    // A charge in progress has an outcome later. Then the repeated job finds it.
    if (!isRefusal(error) || error.code === SubscriptionErrors.chargeInProgress.kind.code) throw error
    const { code } = error
    await inStore(storeId, (tx) => recordUnplacedCharge(tx, subscriptionId, code))
  }
})
