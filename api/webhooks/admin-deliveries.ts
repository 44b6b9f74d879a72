import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { page, reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { listDeliveries as list } from '#shared/webhooks/deliveries/list-deliveries.ts'
import { awaitDelivery, loadDeliveryView } from '#shared/webhooks/deliveries/load-delivery-view.ts'
import { redeliver } from '#shared/webhooks/deliveries/redeliver.ts'
import { MAX_REDELIVERED, redeliverFailed } from '#shared/webhooks/deliveries/redeliver-failed.ts'
import { sendTest } from '#shared/webhooks/deliveries/send-test.ts'
import { WebhookDeliveryView } from '#shared/webhooks/deliveries/view.ts'
import { WebhookErrors } from '#shared/webhooks/errors.ts'
import { DeliveryListQuery, DeliveryParams, RedeliverFailedRequest, WebhookParams } from './schemas.ts'

const example = {
  id: '0199d1f2-1111-7c3a-9a51-2f6f0c7d9e10',
  webhook_id: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e10',
  event_id: '0199d1f2-0000-7c3a-9a51-2f6f0c7d9e10',
  event_type: 'order.paid',
  status: 'succeeded',
  attempts: [
    {
      at: '2026-10-10T08:00:00.000Z',
      status_code: 200,
      duration_ms: 41,
      error: '',
      response_excerpt: 'ok',
    },
  ],
  next_attempt_at: null,
  created_at: '2026-10-10T08:00:00.000Z',
}

export const testWebhook = endpoint({
  method: 'post',
  path: '/admin/webhooks/:webhook_id/test',
  access: staff('system:write'),
  audit: { action: 'postAdminWebhooksWebhookIdTest', resource: 'webhooks' },
  summary: 'Send a test event to a webhook and return the result',
  description:
    'One attempt, whether the webhook is enabled or not. 202 when there is no result within seconds.',
  params: WebhookParams,
  returns: [200, 202, WebhookDeliveryView],
  errors: [CommonErrors.notFound],
  example: { data: { ...example, event_type: 'webhook.test' } },
  async handle({ tx, params }) {
    return (await sendTest(tx, params.webhook_id)).id
  },
  async respond({ store, staff: reader, request }, deliveryId) {
    const delivery = await awaitDelivery(store.id, deliveryId, preferWait(request), reader)
    return reply(delivery.status === 'pending' ? 202 : 200, delivery)
  },
})

export const listDeliveries = endpoint({
  method: 'get',
  path: '/admin/webhooks/:webhook_id/deliveries',
  access: staff('system:read'),
  // A receiver may repeat the data of the event in its response.
  audit: { action: 'getAdminWebhooksWebhookIdDeliveries', resource: 'webhooks' },
  summary: 'List the deliveries of a webhook, newest first',
  params: WebhookParams,
  query: DeliveryListQuery,
  returns: [200, Type.Array(WebhookDeliveryView)],
  paginated: true,
  errors: [CommonErrors.notFound],
  example: { data: [example] },
  async handle({ tx, staff: reader, params, query }) {
    return page(await list(tx, params.webhook_id, query, reader), query)
  },
})

export const readDelivery = endpoint({
  method: 'get',
  path: '/admin/webhook-deliveries/:delivery_id',
  access: staff('system:read'),
  audit: { action: 'getAdminWebhookDeliveriesDeliveryId', resource: 'webhook-deliveries' },
  summary: 'Read a delivery with its attempts',
  params: DeliveryParams,
  returns: [200, WebhookDeliveryView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, staff: reader, params }) {
    return loadDeliveryView(tx, params.delivery_id, reader)
  },
})

export const redeliverDelivery = endpoint({
  method: 'post',
  path: '/admin/webhook-deliveries/:delivery_id/redeliver',
  access: staff('system:write'),
  audit: { action: 'postAdminWebhookDeliveriesDeliveryIdRedeliver', resource: 'webhook-deliveries' },
  summary: 'Send an event to its webhook again',
  description:
    'The message keeps its `webhook-id`; a new series of attempts starts. The `events` of the webhook must still ' +
    'cover it.',
  params: DeliveryParams,
  returns: [202, WebhookDeliveryView],
  errors: [CommonErrors.notFound, WebhookErrors.disabled, WebhookErrors.notSubscribed],
  example: { data: { ...example, status: 'pending', next_attempt_at: '2026-10-10T09:00:00.000Z' } },
  async handle({ tx, staff: reader, params }) {
    await redeliver(tx, params.delivery_id)
    return loadDeliveryView(tx, params.delivery_id, reader)
  },
})

export const redeliverFailedDeliveries = endpoint({
  method: 'post',
  path: '/admin/webhooks/:webhook_id/redeliver-failed',
  access: staff('system:write'),
  audit: { action: 'postAdminWebhooksWebhookIdRedeliverFailed', resource: 'webhooks' },
  summary: 'Send the events of all failed deliveries of a webhook again',
  description:
    "Sends failed and exhausted deliveries, oldest first, at the webhook's pace. Skips test events, and events that " +
    'the webhook no longer subscribes to. Each message keeps its `webhook-id`, and a new series of attempts starts. ' +
    `At most ${MAX_REDELIVERED.toLocaleString('en')} a call: repeat it while some are \`left\`.`,
  params: WebhookParams,
  body: RedeliverFailedRequest,
  returns: [
    202,
    Shape({
      deliveries: Type.Integer({ description: 'The number of deliveries to send again' }),
      left: Type.Integer({ description: 'The number of failed ones that another call would send again' }),
    }),
  ],
  errors: [CommonErrors.notFound, WebhookErrors.disabled],
  example: {
    body: { from: '2026-10-10T08:00:00.000Z', event_types: ['order.*'] },
    data: { deliveries: 12, left: 0 },
  },
  async handle({ tx, params, body: { event_types: eventTypes, ...between } }) {
    return redeliverFailed(tx, params.webhook_id, { ...between, eventTypes })
  },
})
