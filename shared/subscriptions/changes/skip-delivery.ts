import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { isTrialCharge } from '#shared/recurring-plans/schedule.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { scheduleNextCharge } from '#shared/subscriptions/transition-subscription.ts'

/**
 * Skips the next delivery of an active subscription, with its charge. Throws `subscription.not_changeable` during the
 * trial, while a charge is open, and if the subscription ends with its period.
 */
export async function skipDelivery(
  tx: StoreTx,
  id: string,
  customer: { customerId?: string } = {},
): Promise<Subscription> {
  const { subscription, charge } = await lockAndSettleCharge(tx, id, customer)
  const { status, terms, position, cancelsAtPeriodEnd } = subscription
  if (status !== 'active' || charge || cancelsAtPeriodEnd || isTrialCharge(terms, position))
    throw SubscriptionErrors.notChangeable({
      rule:
        'A delivery can be skipped while the subscription is active and will not be canceled, after its trial and ' +
        'while no charge is open',
      status,
    })
  const skipped = await subscription.change(tx, { position: position + 1 })
  const active = await scheduleNextCharge(tx, skipped, { skipMissed: true })
  await emitSubscriptionEvent(tx, SubscriptionEvents.updated, active)
  return active
}
