import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { insertCharge } from '#shared/subscriptions/charge.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { recordFailedAttempt } from '#shared/subscriptions/charges/record-failed-attempt.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { isDue } from '#shared/subscriptions/subscription.ts'
import { scheduleOutcomeCheck } from '#shared/subscriptions/transition-subscription.ts'

/**
 * Records that a due step was refused with an error code. While the gateway is making the charge, it postpones the
 * step. Otherwise the charge could not be ordered, e.g. because the stock is short, which counts as a failed attempt.
 * Call it after the transaction of `performDueStep` failed.
 */
export const recordRefusedStep = (tx: StoreTx, subscriptionId: string, code: string): Promise<void> =>
  code === SubscriptionErrors.chargeInProgress.kind.code
    ? postponeDueStep(tx, subscriptionId)
    : recordUnplacedCharge(tx, subscriptionId, code)

async function postponeDueStep(tx: StoreTx, subscriptionId: string): Promise<void> {
  const { subscription } = await lockAndSettleCharge(tx, subscriptionId)
  if (isDue(subscription)) await scheduleOutcomeCheck(tx, subscription)
}

async function recordUnplacedCharge(tx: StoreTx, subscriptionId: string, reason: string): Promise<void> {
  // The customer may have paid the charge since it failed.
  const { subscription, charge: open } = await lockAndSettleCharge(tx, subscriptionId)
  if (!isDue(subscription) || subscription.status === 'pending') return
  const charge = open ?? (await insertCharge(tx, subscription))
  await recordFailedAttempt(tx, subscription, charge, { kind: 'order', reason })
}
