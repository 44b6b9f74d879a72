import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { Changes, Clearable, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { DELIVERIES } from '#shared/webhooks/deliveries/list-deliveries.ts'

export const WebhookParams = Shape({ webhook_id: Uuid })
export const DeliveryParams = Shape({ delivery_id: Uuid })

const EventPatterns = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Event types, `order.*`, or `*`',
})

export const CreateWebhookRequest = Shape({
  url: Type.String({ minLength: 1, maxLength: 2_048, description: 'https, a public host, port 443 or 8443' }),
  events: EventPatterns,
  description: Type.Optional(Clearable(Type.String({ maxLength: 500 }))),
  is_active: Type.Optional(Type.Boolean()),
})

export const RedeliverFailedRequest = Shape({
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Deliveries created at this time or later' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Deliveries created before this time' })),
  event_types: Type.Optional(EventPatterns),
})

export const UpdateWebhookRequest = Changes(CreateWebhookRequest.properties)

export const DeliveryListQuery = listQuery(DELIVERIES)
