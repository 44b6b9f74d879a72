import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { Clearable, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { DELIVERY_STATUSES } from '#shared/webhooks/deliveries/delivery.ts'
import { DELIVERIES } from '#shared/webhooks/deliveries/show-delivery.ts'

export const WebhookParams = Shape({ webhook_id: Uuid })
export const DeliveryParams = Shape({ delivery_id: Uuid })

const fields = {
  url: Type.String({ minLength: 1, maxLength: 2_048, description: 'https, a public host, port 443 or 8443' }),
  events: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: 50,
    description: 'Event types, `order.*`, or `*`',
  }),
  description: Clearable(Type.String({ maxLength: 500 })),
  is_active: Type.Boolean(),
}

export const CreateWebhookRequest = Shape({
  url: fields.url,
  events: fields.events,
  description: Type.Optional(fields.description),
  is_active: Type.Optional(fields.is_active),
})

export const RedeliverFailedRequest = Shape({
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Deliveries created at this time or later' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Deliveries created before this time' })),
  event_types: Type.Optional(fields.events),
})

export const UpdateWebhookRequest = Shape(
  {
    url: Type.Optional(fields.url),
    events: Type.Optional(fields.events),
    description: Type.Optional(fields.description),
    is_active: Type.Optional(fields.is_active),
  },
  { minProperties: 1 },
)

export const DeliveryListQuery = listQuery(DELIVERIES, {
  status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
})
