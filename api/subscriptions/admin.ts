import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { toCamelCase } from '#api/platform/input/read-fields.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CheckoutErrors } from '#shared/checkout/errors.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { ShippingMethodErrors } from '#shared/settings/errors.ts'
import {
  cancelSubscription as cancel,
  pauseSubscription as pause,
  resumeSubscription as resume,
  skipDelivery as skip,
} from '#shared/subscriptions/change-status.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { listSubscriptions } from '#shared/subscriptions/list-subscriptions.ts'
import { SubscriptionDetail } from '#shared/subscriptions/next-charge.ts'
import { findSubscription } from '#shared/subscriptions/subscription.ts'
import { updateSubscription as update } from '#shared/subscriptions/update-subscription.ts'
import { SubscriptionView } from '#shared/subscriptions/view.ts'
import { canceledExample, pausedExample, subscriptionDetailExample, subscriptionExample } from './examples.ts'
import { respondWithSubscription } from './respond-with-subscription.ts'
import { CancelQuery, SubscriptionChangesBody, SubscriptionParams, SubscriptionsQuery } from './schemas.ts'

const changing = [CommonErrors.notFound, SubscriptionErrors.invalidTransition]

export const listAdminSubscriptions = endpoint({
  method: 'get',
  path: '/admin/subscriptions',
  access: staff('sales:read'),
  paginated: true,
  summary: 'List subscriptions',
  query: SubscriptionsQuery,
  returns: [200, Type.Array(SubscriptionView)],
  example: { data: [subscriptionExample] },
  async handle({ tx, query, request: { language } }) {
    return page(await listSubscriptions(tx, query, language), query)
  },
})

export const readAdminSubscription = endpoint({
  method: 'get',
  path: '/admin/subscriptions/:subscription_id',
  access: staff('sales:read'),
  summary: 'Read a subscription',
  description:
    'With its next charge at the taxes and shipping prices of today. Its orders: GET /admin/orders?subscription_id=.',
  params: SubscriptionParams,
  returns: [200, SubscriptionDetail],
  errors: [CommonErrors.notFound],
  example: { data: subscriptionDetailExample },
  async handle({ tx, params, request: { language } }) {
    const found = await findSubscription(tx, params.subscription_id)
    return respondWithSubscription(tx, found, language)
  },
})

export const updateSubscription = endpoint({
  method: 'patch',
  path: '/admin/subscriptions/:subscription_id',
  access: staff('sales:write'),
  audit: { action: 'patchAdminSubscriptionsSubscriptionId', resource: 'subscriptions' },
  summary: 'Update a subscription',
  description:
    'From the next charge on: the quantity, the addresses, the shipping method and the plan. One with which the next charge could not ' +
    'be ordered is refused.',
  params: SubscriptionParams,
  body: SubscriptionChangesBody,
  returns: [200, SubscriptionDetail],
  errors: [
    CommonErrors.notFound,
    CommonErrors.changed,
    SubscriptionErrors.notChangeable,
    ShippingMethodErrors.unavailable,
    CheckoutErrors.paymentMethodDisabled,
    StockErrors.insufficient,
  ],
  example: { body: { quantity: 2 }, data: subscriptionDetailExample },
  async handle({ tx, params, body, request: { language, headers } }) {
    const options = { ifMatch: headers['if-match'] }
    return respondWithSubscription(
      tx,
      await update(tx, params.subscription_id, toCamelCase(body), options),
      language,
    )
  },
})

export const pauseSubscription = endpoint({
  method: 'post',
  path: '/admin/subscriptions/:subscription_id/pause',
  access: staff('sales:write'),
  audit: { action: 'postAdminSubscriptionsSubscriptionIdPause', resource: 'subscriptions' },
  summary: 'Pause a subscription',
  description: 'Nothing is charged until it is resumed.',
  params: SubscriptionParams,
  returns: [200, SubscriptionDetail],
  errors: [...changing, SubscriptionErrors.chargeInProgress],
  example: { data: pausedExample },
  async handle({ tx, staff, params, request: { language } }) {
    return respondWithSubscription(
      tx,
      await pause(tx, params.subscription_id, { actor: staff.name }),
      language,
    )
  },
})

export const resumeSubscription = endpoint({
  method: 'post',
  path: '/admin/subscriptions/:subscription_id/resume',
  access: staff('sales:write'),
  audit: { action: 'postAdminSubscriptionsSubscriptionIdResume', resource: 'subscriptions' },
  summary: 'Resume a subscription',
  description:
    'It is charged at its next date. The time of the pause is not charged. One that was to end with its period goes on.',
  params: SubscriptionParams,
  returns: [200, SubscriptionDetail],
  errors: changing,
  example: { data: subscriptionDetailExample },
  async handle({ tx, staff, params, request: { language } }) {
    return respondWithSubscription(
      tx,
      await resume(tx, params.subscription_id, { actor: staff.name }),
      language,
    )
  },
})

export const cancelSubscription = endpoint({
  method: 'post',
  path: '/admin/subscriptions/:subscription_id/cancel',
  access: staff('sales:write'),
  audit: { action: 'postAdminSubscriptionsSubscriptionIdCancel', resource: 'subscriptions' },
  summary: 'Cancel a subscription',
  description: 'After the response nothing is charged.',
  params: SubscriptionParams,
  query: CancelQuery,
  returns: [200, SubscriptionDetail],
  errors: [...changing, SubscriptionErrors.chargeInProgress],
  example: { data: canceledExample },
  async handle({ tx, staff, params, query: { at = 'now' }, request: { language } }) {
    const canceled = await cancel(tx, params.subscription_id, { actor: staff.name, at })
    return respondWithSubscription(tx, canceled, language)
  },
})

export const skipDelivery = endpoint({
  method: 'post',
  path: '/admin/subscriptions/:subscription_id/skip',
  access: staff('sales:write'),
  audit: { action: 'postAdminSubscriptionsSubscriptionIdSkip', resource: 'subscriptions' },
  summary: 'Skip the next delivery of a subscription',
  description: 'It is neither sent nor charged, and does not count as one of the charges of the plan.',
  params: SubscriptionParams,
  returns: [200, SubscriptionDetail],
  errors: [CommonErrors.notFound, SubscriptionErrors.notChangeable],
  example: { data: subscriptionDetailExample },
  async handle({ tx, staff, params, request: { language } }) {
    return respondWithSubscription(
      tx,
      await skip(tx, params.subscription_id, { actor: staff.name }),
      language,
    )
  },
})
