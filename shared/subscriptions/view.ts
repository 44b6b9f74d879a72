import { type Static, Type } from 'typebox'
import { AddressView } from '#shared/geo/address.ts'
import { toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { pickText } from '#shared/platform/text.ts'
import { DURATION_UNITS, isTrialCharge } from '#shared/recurring-plans/schedule.ts'
import type { Store } from '#shared/stores/store.ts'
import { type Charge, FailedCharge, viewFailedCharge } from './charge.ts'
import { SUBSCRIPTION_STATUSES } from './states.ts'
import type { Subscription } from './subscription.ts'

export const SubscriptionCardView = Shape({
  brand: Type.String(),
  last4: Type.String(),
  exp_month: Type.Integer(),
  exp_year: Type.Integer(),
})

const period = {
  duration: Type.Integer(),
  duration_unit: Type.Enum([...DURATION_UNITS]),
  cycle: Type.Integer({ description: 'The number of charges; 0: without end' }),
}

export const SubscriptionTrialView = Shape({ unit_price: Money, ...period })

export const NextPriceView = Shape({ unit_price: Money, from: Timestamp })

export const SubscriptionView = Shape({
  id: Uuid,
  status: Type.Enum([...SUBSCRIPTION_STATUSES]),
  customer_id: Uuid,
  recurring_plan_id: { ...Uuid, description: 'The plan may have been changed or deleted since' },
  plan_name: Type.String(),
  product_id: Uuid,
  variant_id: Uuid,
  name: Type.String(),
  sku: Type.String(),
  quantity: Type.Integer(),
  currency: CurrencyCode,
  unit_price: { ...Money, description: 'Of each charge after the trial' },
  next_price: {
    ...Nullable(NextPriceView),
    description:
      'The announced price of charges at `from` or later, trial excluded. Null if no change is announced',
  },
  ...period,
  trial: Nullable(SubscriptionTrialView),
  is_trial: Type.Boolean({ description: 'Whether the next charge belongs to the trial' }),
  payment_method: Type.String(),
  card: { ...Nullable(SubscriptionCardView), description: 'The card that is charged' },
  firstname: Type.String(),
  lastname: Type.String(),
  telephone: Type.String(),
  shipping_address: AddressView,
  billing_address: AddressView,
  shipping_method_id: Nullable(Uuid),
  started_at: Timestamp,
  past_charges: Type.Integer({ description: 'Charges that are over: paid or canceled' }),
  charges_left: { ...Nullable(Type.Integer()), description: 'Null: without end' },
  next_charge_at: { ...Nullable(Timestamp), description: 'Null when no charge follows' },
  failed_charge: {
    ...Nullable(FailedCharge),
    description: 'The due charge whose payment was tried and failed',
  },
  cancels_at_period_end: Type.Boolean({
    description: 'It ends at `next_charge_at` instead of being charged',
  }),
  ended_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type SubscriptionView = Static<typeof SubscriptionView>

/** Returns a subscription as responses and events show it. */
export function viewSubscription(
  subscription: Subscription,
  charge: Charge | undefined,
  { language, store }: { language: string; store: Pick<Store, 'defaultLanguage'> },
): SubscriptionView {
  const { terms, currency } = subscription
  const text = (texts: Subscription['nameI18n']) => pickText(texts, language, store.defaultLanguage)
  const hasNextCharge = subscription.nextChargeAt !== null
  return {
    id: subscription.id,
    status: subscription.status,
    customer_id: subscription.customerId,
    recurring_plan_id: subscription.recurringPlanId,
    plan_name: text(terms.nameI18n),
    product_id: subscription.productId,
    variant_id: subscription.variantId,
    name: text(subscription.nameI18n),
    sku: subscription.sku,
    quantity: subscription.quantity,
    currency,
    unit_price: toMajor(subscription.unitPriceMinor, currency),
    next_price: viewNextPrice(subscription),
    duration: terms.duration,
    duration_unit: terms.durationUnit,
    cycle: terms.cycle,
    trial: viewTrial(subscription),
    is_trial: hasNextCharge && isTrialCharge(terms, subscription.position),
    payment_method: subscription.paymentMethod,
    card: subscription.card && {
      brand: subscription.card.brand,
      last4: subscription.card.last4,
      exp_month: subscription.card.expMonth,
      exp_year: subscription.card.expYear,
    },
    ...viewDelivery(subscription),
    ...viewProgress(subscription, charge),
    created_at: toTimestamp(subscription.createdAt),
    updated_at: toTimestamp(subscription.updatedAt),
  }
}

const viewNextPrice = ({
  nextPriceMinor,
  nextPriceFrom,
  currency,
}: Subscription): SubscriptionView['next_price'] =>
  nextPriceMinor !== null && nextPriceFrom
    ? { unit_price: toMajor(nextPriceMinor, currency), from: toTimestamp(nextPriceFrom) }
    : null

const viewTrial = ({ terms: { trial }, currency }: Subscription): SubscriptionView['trial'] =>
  trial && {
    unit_price: toMajor(BigInt(trial.priceMinor), currency),
    duration: trial.duration,
    duration_unit: trial.durationUnit,
    cycle: trial.cycle,
  }

/** Returns the recipient, the addresses and the shipping method of the orders. */
const viewDelivery = (subscription: Subscription) => ({
  firstname: subscription.firstname,
  lastname: subscription.lastname,
  telephone: subscription.telephone,
  shipping_address: subscription.shippingAddress,
  billing_address: subscription.billingAddress,
  shipping_method_id: subscription.shippingMethodId,
})

/** Returns the past and coming charges, and the end. */
const viewProgress = (subscription: Subscription, charge: Charge | undefined) => ({
  started_at: toTimestamp(subscription.startedAt),
  past_charges: subscription.chargeNo - 1,
  charges_left: subscription.chargesLeft,
  next_charge_at: toTimestampOrNull(subscription.nextChargeAt),
  failed_charge: charge && charge.attempts > 0 ? viewFailedCharge(charge) : null,
  cancels_at_period_end: subscription.cancelsAtPeriodEnd,
  ended_at: toTimestampOrNull(subscription.endedAt),
})
