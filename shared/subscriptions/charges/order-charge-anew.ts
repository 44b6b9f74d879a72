import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Charge } from '#shared/subscriptions/charge.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { cancelCharge } from './cancel-charge.ts'
import type { SettledSubscription } from './settle-open-charge.ts'

/**
 * Replaces a failed charge by one that the next attempt orders anew, and cancels its order. The failed attempts count
 * for the new charge. Throws `subscription.charge_in_progress` while the gateway is making the charge.
 */
export async function orderChargeAnew(
  tx: StoreTx,
  subscription: Subscription,
  failed: Charge,
): Promise<SettledSubscription> {
  if (!failed.orderId) return { subscription, charge: failed }
  const { attempts, failureKind, failureReason, firstFailedAt, nextAttemptAt } = failed
  const withoutOrder = await cancelCharge(tx, subscription, failed, 'system')
  const charge = await Charge.in(tx).insertAndFetch({
    subscriptionId: withoutOrder.id,
    chargeNo: withoutOrder.chargeNo,
    attempts,
    failureKind,
    failureReason,
    firstFailedAt,
    nextAttemptAt,
    createdAt: now(),
  })
  return { subscription: withoutOrder, charge }
}
