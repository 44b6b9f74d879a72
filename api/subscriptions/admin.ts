import { Type } from 'typebox'
import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { resumeAndMailSubscription } from '#shared/subscription-mails/resume-and-mail-subscription.ts'
import { updateAndMailSubscription } from '#shared/subscription-mails/update-and-mail-subscription.ts'
import { skipDelivery as skip } from '#shared/subscriptions/changes/skip-delivery.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { cancelSubscription as cancel } from '#shared/subscriptions/lifecycle/cancel-subscription.ts'
import { pauseSubscription as pause } from '#shared/subscriptions/lifecycle/pause-subscription.ts'
import { listSubscriptions } from '#shared/subscriptions/list-subscriptions.ts'
import { NOTICE_DAYS } from '#shared/subscriptions/notice.ts'
import { findSubscription } from '#shared/subscriptions/subscription.ts'
import { SubscriptionView } from '#shared/subscriptions/view.ts'
import { subscriptionExample } from './examples.ts'
import { respondWithSubscription } from './respond-with-subscription.ts'
import { SubscriptionsQuery } from './schemas.ts'
import { CANCEL, PAUSE, READ, RESUME, SKIP, UPDATE } from './shared-operations.ts'

/** For changes of later charges, which outlast a support session. */
const writesNotSupport = staffNotSupport('sales:write')

export const listAdminSubscriptions = endpoint({
  method: 'get',
  path: '/admin/subscriptions',
  access: staff('sales:read'),
  audit: { action: 'getAdminSubscriptions', resource: 'subscriptions' },
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
  ...READ,
  path: '/admin/subscriptions/:subscription_id',
  access: staff('sales:read'),
  audit: { action: 'getAdminSubscriptionsSubscriptionId', resource: 'subscriptions' },
  summary: 'Read a subscription',
  description:
    'The next charge is calculated with current taxes and shipping prices. GET /admin/orders?subscription_id= lists ' +
    'the orders of the subscription.',
  async handle({ tx, params, request: { language } }) {
    const found = await findSubscription(tx, params.subscription_id)
    return respondWithSubscription(tx, found, language)
  },
})

export const updateSubscription = endpoint({
  ...UPDATE,
  path: '/admin/subscriptions/:subscription_id',
  access: writesNotSupport,
  audit: { action: 'patchAdminSubscriptionsSubscriptionId', resource: 'subscriptions' },
  summary: 'Change a subscription',
  description:
    `${UPDATE.description} The customer gets a mail with the changed terms, the next charge and a link to cancel, ` +
    'which `subscription_mails` does not switch off. A change by which the customer pays more (a higher charge, more ' +
    `frequent or more charges) returns 409 if the next charge is less than ${NOTICE_DAYS} days ahead. Customers may ` +
    'make it at any time. A support session makes no changes.',
  errors: [...UPDATE.errors, SubscriptionErrors.noticeRequired],
  async handle({ tx, params, body, ifMatch, request: { language } }) {
    return respondWithSubscription(
      tx,
      await updateAndMailSubscription(tx, params.subscription_id, toCamelCase(body), { ifMatch }),
      language,
    )
  },
})

export const pauseSubscription = endpoint({
  ...PAUSE,
  path: '/admin/subscriptions/:subscription_id/pause',
  access: staff('sales:write'),
  audit: { action: 'postAdminSubscriptionsSubscriptionIdPause', resource: 'subscriptions' },
  summary: 'Pause a subscription',
  async handle({ tx, staff, params, request: { language } }) {
    return respondWithSubscription(
      tx,
      await pause(tx, params.subscription_id, { actor: staff.name }),
      language,
    )
  },
})

export const resumeSubscription = endpoint({
  ...RESUME,
  path: '/admin/subscriptions/:subscription_id/resume',
  access: writesNotSupport,
  audit: { action: 'postAdminSubscriptionsSubscriptionIdResume', resource: 'subscriptions' },
  summary: 'Resume a subscription',
  description:
    `${RESUME.description} The customer gets a mail with the next charge and a link to cancel, which ` +
    '`subscription_mails` does not switch off. If the next charge is less than ' +
    `${NOTICE_DAYS} days ahead, staff can end only a pause that staff began; otherwise the response is 409. ` +
    'Customers may resume at any time. A support session resumes nothing.',
  errors: [...RESUME.errors, SubscriptionErrors.noticeRequired],
  async handle({ tx, staff, params, request: { language } }) {
    return respondWithSubscription(
      tx,
      await resumeAndMailSubscription(tx, params.subscription_id, { actor: staff.name }),
      language,
    )
  },
})

export const cancelSubscription = endpoint({
  ...CANCEL,
  path: '/admin/subscriptions/:subscription_id/cancel',
  access: staff('sales:write'),
  audit: { action: 'postAdminSubscriptionsSubscriptionIdCancel', resource: 'subscriptions' },
  summary: 'Cancel a subscription',
  async handle({ tx, staff, params, query: { at = 'now' }, request: { language } }) {
    const canceled = await cancel(tx, params.subscription_id, { actor: staff.name, at })
    return respondWithSubscription(tx, canceled, language)
  },
})

export const skipDelivery = endpoint({
  ...SKIP,
  path: '/admin/subscriptions/:subscription_id/skip',
  access: writesNotSupport,
  audit: { action: 'postAdminSubscriptionsSubscriptionIdSkip', resource: 'subscriptions' },
  summary: 'Skip the next delivery of a subscription',
  async handle({ tx, params, request: { language } }) {
    return respondWithSubscription(tx, await skip(tx, params.subscription_id), language)
  },
})
