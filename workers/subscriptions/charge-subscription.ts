import { inStore } from '#shared/platform/db/store-scope.ts'
import { isRefusal } from '#shared/platform/errors.ts'
import { chargeSubscription as job } from '#shared/subscriptions/jobs.ts'
import { performDueStep } from '#shared/subscriptions/lifecycle/perform-due-step.ts'
import { recordRefusedStep } from '#shared/subscriptions/lifecycle/record-refused-step.ts'
import { handle } from '#workers/platform/handle.ts'

/** Charges a due subscription. A refusal, e.g. because the stock is short, is recorded. */
export const chargeSubscription = handle(job, async ({ storeId, subscriptionId }) => {
  try {
    await inStore(storeId, (tx) => performDueStep(tx, subscriptionId))
  } catch (error) {
    if (!isRefusal(error)) throw error
    await inStore(storeId, (tx) => recordRefusedStep(tx, subscriptionId, error.code))
  }
})
