import { inStore } from '#shared/platform/db/store-scope.ts'
import { isRefusal } from '#shared/platform/errors.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { chargeSubscription as job } from '#shared/subscriptions/jobs.ts'
import {
  performDueStep,
  postponeDueStep,
  recordUnplacedCharge,
} from '#shared/subscriptions/lifecycle/perform-due-step.ts'
import { handle } from '#workers/platform/handle.ts'

/**
 * Charges a due subscription. A charge that cannot be ordered, e.g. because the stock is short, counts as a failed
 * attempt.
 */
export const chargeSubscription = handle(job, async ({ storeId, subscriptionId }) => {
  try {
    await inStore(storeId, (tx) => performDueStep(tx, subscriptionId))
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { code } = error
    const record =
      code === SubscriptionErrors.chargeInProgress.kind.code ? postponeDueStep : recordUnplacedCharge
    await inStore(storeId, (tx) => record(tx, subscriptionId, code))
  }
})
