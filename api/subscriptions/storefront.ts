import { Type } from 'typebox'
import { setupExample } from '#api/payments/examples.ts'
import { customer } from '#api/platform/auth/access.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { customerActor } from '#shared/orders/actor.ts'
import { omitSpentSecret } from '#shared/payments/open/omit-spent-secret.ts'
import { awaitOpened } from '#shared/payments/payment-or-setup.ts'
import { type BuyerPayment, BuyerPaymentView, viewBuyerPayment } from '#shared/payments/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { updateAndMailOwnSubscription } from '#shared/subscription-mails/update-and-mail-subscription.ts'
import { requestCard } from '#shared/subscriptions/card/request-card.ts'
import { skipDelivery } from '#shared/subscriptions/changes/skip-delivery.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { cancelSubscription } from '#shared/subscriptions/lifecycle/cancel-subscription.ts'
import { pauseSubscription } from '#shared/subscriptions/lifecycle/pause-subscription.ts'
import { resumeSubscription } from '#shared/subscriptions/lifecycle/resume-subscription.ts'
import { listSubscriptions } from '#shared/subscriptions/list-subscriptions.ts'
import { findSubscription } from '#shared/subscriptions/subscription.ts'
import { SubscriptionView } from '#shared/subscriptions/view.ts'
import { subscriptionExample } from './examples.ts'
import { respondWithSubscription } from './respond-with-subscription.ts'
import { OwnSubscriptionsQuery, SubscriptionParams } from './schemas.ts'
import { CANCEL, PAUSE, READ, RESUME, SKIP, UPDATE } from './shared-operations.ts'

const callerOf = ({ id }: { id: string }) => ({ actor: customerActor(id), customerId: id })

export const listOwnSubscriptions = endpoint({
  method: 'get',
  path: '/subscriptions',
  access: customer,
  paginated: true,
  summary: "List the customer's subscriptions",
  query: OwnSubscriptionsQuery,
  returns: [200, Type.Array(SubscriptionView)],
  example: { data: [subscriptionExample] },
  async handle({ tx, customer, query, request: { language } }) {
    return page(await listSubscriptions(tx, { ...query, customer_id: customer.id }, language), query)
  },
})

export const readOwnSubscription = endpoint({
  ...READ,
  path: '/subscriptions/:subscription_id',
  access: customer,
  summary: "Read one of the customer's subscriptions",
  description:
    'With its next charge at the taxes and shipping prices of today. Its orders: GET /orders?subscription_id=.',
  async handle({ tx, customer, params, request: { language } }) {
    const found = await findSubscription(tx, params.subscription_id, { customerId: customer.id })
    return respondWithSubscription(tx, found, language)
  },
})

export const updateOwnSubscription = endpoint({
  ...UPDATE,
  path: '/subscriptions/:subscription_id',
  access: customer,
  summary: "Change one of the customer's subscriptions",
  async handle({ tx, customer, params, body, ifMatch, request: { language } }) {
    const options = { customerId: customer.id, ifMatch }
    return respondWithSubscription(
      tx,
      await updateAndMailOwnSubscription(tx, params.subscription_id, toCamelCase(body), options),
      language,
    )
  },
})

export const pauseOwnSubscription = endpoint({
  ...PAUSE,
  path: '/subscriptions/:subscription_id/pause',
  access: customer,
  summary: "Pause one of the customer's subscriptions",
  async handle({ tx, customer, params, request: { language } }) {
    return respondWithSubscription(
      tx,
      await pauseSubscription(tx, params.subscription_id, callerOf(customer)),
      language,
    )
  },
})

export const resumeOwnSubscription = endpoint({
  ...RESUME,
  path: '/subscriptions/:subscription_id/resume',
  access: customer,
  summary: "Resume one of the customer's subscriptions",
  async handle({ tx, customer, params, request: { language } }) {
    const { subscription } = await resumeSubscription(tx, params.subscription_id, callerOf(customer))
    return respondWithSubscription(tx, subscription, language)
  },
})

export const cancelOwnSubscription = endpoint({
  ...CANCEL,
  path: '/subscriptions/:subscription_id/cancel',
  access: customer,
  summary: "Cancel one of the customer's subscriptions",
  async handle({ tx, customer, params, query: { at = 'now' }, request: { language } }) {
    const canceled = await cancelSubscription(tx, params.subscription_id, { ...callerOf(customer), at })
    return respondWithSubscription(tx, canceled, language)
  },
})

export const skipOwnDelivery = endpoint({
  ...SKIP,
  path: '/subscriptions/:subscription_id/skip',
  access: customer,
  summary: "Skip the next delivery of one of the customer's subscriptions",
  async handle({ tx, customer, params, request: { language } }) {
    return respondWithSubscription(
      tx,
      await skipDelivery(tx, params.subscription_id, { customerId: customer.id }),
      language,
    )
  },
})

export const requestSubscriptionCard = endpoint({
  method: 'post',
  path: '/subscriptions/:subscription_id/payment-method',
  access: customer,
  idempotency: 'required',
  summary: "Give another card for one of the customer's subscriptions",
  description:
    'Confirm the setup in the browser with its `client_secret`: nothing is charged. The next charge uses the new ' +
    'card, and a charge that failed is tried with it immediately.',
  params: SubscriptionParams,
  returns: [201, BuyerPaymentView],
  errors: [CommonErrors.notFound, SubscriptionErrors.noCard, SubscriptionErrors.notChangeable],
  example: { data: setupExample },
  async handle({ tx, customer, params, request }) {
    const caller = { customerId: customer.id, network: request.network }
    const setup = await requestCard(tx, params.subscription_id, caller)
    return setup.id
  },
  async respond({ store, request }, setupId) {
    return viewBuyerPayment(await awaitOpened(store.id, setupId, preferWait(request)))
  },
  replay: (tx, view: BuyerPayment) => omitSpentSecret(tx, view),
})
