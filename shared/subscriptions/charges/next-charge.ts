import { type Static, Type } from 'typebox'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { isRefusal } from '#shared/platform/errors.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Money, Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { readStore } from '#shared/stores/store.ts'
import { loadSubscriptionView } from '#shared/subscriptions/load-subscription-views.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { SubscriptionView } from '#shared/subscriptions/view.ts'
import { draftCharge } from './draft-charge.ts'

export const NextChargeView = Shape({
  charge_no: Type.Integer(),
  at: Timestamp,
  amount: Nullable(Shape({ subtotal: Money, shipping_total: Money, tax_total: Money, total: Money })),
  problem: Type.String({
    description: 'The error code of checkout that the charge would return today; `amount` is null then',
  }),
})

/** A subscription with its next charge at today's prices. */
export const SubscriptionDetailView = Shape({
  ...SubscriptionView.properties,
  next_charge: { ...Nullable(NextChargeView), description: "The next charge at today's prices" },
})
export type SubscriptionDetailView = Static<typeof SubscriptionDetailView>

/** Returns the view of one subscription with its next charge. */
export async function loadSubscriptionDetail(
  tx: StoreTx,
  subscription: Subscription,
  language: string,
): Promise<SubscriptionDetailView> {
  return {
    ...(await loadSubscriptionView(tx, subscription, language)),
    next_charge: await previewCharge(tx, subscription),
  }
}

/** Returns the next charge at today's prices; null if none follows. */
export async function previewCharge(
  tx: StoreTx,
  subscription: Subscription,
): Promise<Static<typeof NextChargeView> | null> {
  const { nextChargeAt, chargeNo, currency, cancelsAtPeriodEnd } = subscription
  if (!nextChargeAt || cancelsAtPeriodEnd) return null
  const charge = { charge_no: chargeNo, at: toTimestamp(nextChargeAt) }
  try {
    const { details } = await draftCharge(tx, await readStore(tx), subscription)
    const major = (minor: bigint) => toMajor(minor, currency)
    const amount = {
      subtotal: major(details.subtotalMinor),
      shipping_total: major(details.shippingMinor),
      tax_total: major(details.taxMinor),
      total: major(details.totalMinor),
    }
    return { ...charge, amount, problem: '' }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { ...charge, amount: null, problem: error.code }
  }
}
