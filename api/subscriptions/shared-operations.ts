import { CheckoutErrors } from '#shared/checkout/errors.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { ShippingMethodErrors } from '#shared/shipping-methods/errors.ts'
import { SubscriptionDetailView } from '#shared/subscriptions/charges/next-charge.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { canceledExample, pausedExample, subscriptionDetailExample } from './examples.ts'
import { CancelQuery, SubscriptionParams, UpdateSubscriptionRequest } from './schemas.ts'

// The operations on a subscription that customers and staff share.

const one = { params: SubscriptionParams, returns: [200, SubscriptionDetailView] } as const

export const READ = {
  ...one,
  method: 'get',
  errors: [CommonErrors.notFound],
  example: { data: subscriptionDetailExample },
} as const

export const UPDATE = {
  ...one,
  method: 'patch',
  description:
    'Changes the quantity, the addresses, the shipping method and the plan from the next charge on. The customer ' +
    'gets a mail about it. The order of a charge that failed is canceled, and the next attempt orders it anew. A ' +
    'change with which the next charge could not be ordered is refused. The price of a unit stays, with one ' +
    'exception: if the plan has no price of its own, and the new quantity begins or ends a quantity discount of the ' +
    'variant, the current price of the variant applies.',
  body: UpdateSubscriptionRequest,
  errors: [
    CommonErrors.notFound,
    CommonErrors.changed,
    SubscriptionErrors.notChangeable,
    SubscriptionErrors.chargeInProgress,
    ShippingMethodErrors.unavailable,
    CheckoutErrors.paymentMethodDisabled,
    StockErrors.insufficientStock,
  ],
  example: { body: { quantity: 2 }, data: subscriptionDetailExample },
} as const

export const PAUSE = {
  ...one,
  method: 'post',
  description: 'Nothing is charged until it is resumed.',
  errors: [CommonErrors.notFound, SubscriptionErrors.invalidTransition, SubscriptionErrors.chargeInProgress],
  example: { data: pausedExample },
} as const

export const RESUME = {
  ...one,
  method: 'post',
  description:
    'It is charged at its next date. The time of the pause is not charged. A pending cancellation is withdrawn. If ' +
    'it is suspended because a charge could not be ordered, e.g. for lack of stock, a request of its customer orders ' +
    'the charge again.',
  errors: [CommonErrors.notFound, SubscriptionErrors.invalidTransition],
  example: { data: subscriptionDetailExample },
} as const

export const CANCEL = {
  ...one,
  method: 'post',
  description: 'After the response nothing is charged.',
  query: CancelQuery,
  errors: [CommonErrors.notFound, SubscriptionErrors.invalidTransition, SubscriptionErrors.chargeInProgress],
  example: { data: canceledExample },
} as const

export const SKIP = {
  ...one,
  method: 'post',
  description: 'It is neither sent nor charged, and does not count as one of the charges of the plan.',
  errors: [CommonErrors.notFound, SubscriptionErrors.notChangeable],
  example: { data: subscriptionDetailExample },
} as const
