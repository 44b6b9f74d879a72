import { isDeepStrictEqual } from 'node:util'
import type { PostalAddress } from '#shared/geo/address.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { isTrialCharge } from '#shared/recurring-plans/schedule.ts'
import { readStore } from '#shared/stores/store.ts'
import type { SubscriptionCaller } from '#shared/subscriptions/caller.ts'
import { draftCharge } from '#shared/subscriptions/charges/draft-charge.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { orderChargeAnew } from '#shared/subscriptions/charges/order-charge-anew.ts'
import type { SettledSubscription } from '#shared/subscriptions/charges/settle-open-charge.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import { ENDED_SUBSCRIPTION_STATUSES } from '#shared/subscriptions/states.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { pricesInQuantity } from './prices-in-quantity.ts'
import type { SubscriptionChange } from './subscription-change.ts'
import { switchPlan } from './switch-plan.ts'

/** The changes, which apply from the next charge on. */
export interface SubscriptionChanges {
  quantity?: number
  firstname?: string
  lastname?: string
  telephone?: string
  shippingAddress?: PostalAddress
  billingAddress?: PostalAddress
  shippingMethodId?: string
  recurringPlanId?: string
}

/**
 * Changes a subscription from the next charge on. A charge that failed is ordered anew: its next attempt sends the new
 * quantity to the new address. Throws 412 for an outdated `ifMatch`, the errors of `switchPlan` and `orderChargeAnew`,
 * and those of a checkout for an address, shipping method or quantity that cannot be ordered. An ended subscription
 * cannot change.
 */
export async function updateSubscription(
  tx: StoreTx,
  id: string,
  { recurringPlanId, ...changes }: SubscriptionChanges,
  { ifMatch, ...caller }: Omit<SubscriptionCaller, 'actor'> & { ifMatch?: string | undefined },
): Promise<SubscriptionChange> {
  const settled = await lockAndSettleCharge(tx, id, caller)
  const { subscription: before } = settled
  assertUnchanged(before, ifMatch)
  const { status } = before
  if (ENDED_SUBSCRIPTION_STATUSES.has(status)) throw SubscriptionErrors.notChangeable({ status })
  assertTrialKeepsUnits(before, changes)
  const { subscription, charge } = changesOrder(before, changes)
    ? await orderFailedChargeAnew(tx, settled)
    : settled
  const { quantity = subscription.quantity } = changes
  const prices = await pricesInQuantity(tx, subscription, quantity)
  const changed = await subscription.change(tx, { ...changes, ...prices })
  const isOtherPlan = recurringPlanId && recurringPlanId.toLowerCase() !== subscription.recurringPlanId
  const updated = isOtherPlan ? await switchPlan(tx, changed, charge, recurringPlanId) : changed
  await draftCharge(tx, await readStore(tx), updated)
  await emitSubscriptionEvent(tx, SubscriptionEvents.updated, updated)
  return { before, after: updated }
}

/** Throws `subscription.not_changeable` for more units at the price of the trial than the checkout had. */
function assertTrialKeepsUnits(
  { quantity, terms, position, status }: Subscription,
  changes: SubscriptionChanges,
): void {
  if ((changes.quantity ?? 0) > quantity && isTrialCharge(terms, position))
    throw SubscriptionErrors.notChangeable({ rule: 'The quantity can be raised after the trial', status })
}

const changesOrder = (before: Subscription, changes: SubscriptionChanges): boolean =>
  Object.entries(changes).some(
    ([name, value]) => !isDeepStrictEqual(value, before[name as keyof SubscriptionChanges]),
  )

/** Makes the next attempt of a failed charge order it anew, if there is one. */
const orderFailedChargeAnew = async (
  tx: StoreTx,
  settled: SettledSubscription,
): Promise<SettledSubscription> => {
  const { subscription, charge } = settled
  const isUnpaid = subscription.status === 'past_due' || subscription.status === 'suspended'
  return charge && isUnpaid ? orderChargeAnew(tx, subscription, charge) : settled
}
