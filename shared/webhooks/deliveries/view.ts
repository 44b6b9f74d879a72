import { type Static, Type } from 'typebox'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { RightsHolder } from '#shared/staff/rights.ts'
import type { WebhookAttempt } from '#shared/webhooks/attempts/attempt.ts'
import { mayReceive } from '#shared/webhooks/readable-events.ts'
import type { WebhookDelivery } from './delivery.ts'
import { DELIVERY_STATUSES } from './states.ts'

export const WebhookAttemptView = Shape({
  at: Timestamp,
  status_code: Nullable(Type.Integer()),
  duration_ms: Type.Integer(),
  error: Type.String({ description: 'Why the request failed' }),
  response_excerpt: Type.String({
    description:
      'Start of the response body, at most 1 KB, without control characters; empty for those who may not read the ' +
      'event',
  }),
})

export const WebhookDeliveryView = Shape({
  id: Uuid,
  webhook_id: Uuid,
  event_id: Uuid,
  event_type: Type.String(),
  status: Type.Enum([...DELIVERY_STATUSES]),
  attempts: Type.Array(WebhookAttemptView, { description: 'Oldest first' }),
  next_attempt_at: Nullable(Timestamp),
  created_at: Timestamp,
})

/**
 * Returns a delivery as `reader` may see it. It hides the response if the reader may not read the event, because a
 * receiver may send back the event's data.
 */
export const viewDelivery = (
  delivery: WebhookDelivery,
  attempts: readonly WebhookAttempt[],
  reader: RightsHolder,
): Static<typeof WebhookDeliveryView> => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  status: delivery.status,
  attempts: attempts.map((attempt) => ({
    at: toTimestamp(attempt.at),
    status_code: attempt.statusCode,
    duration_ms: attempt.durationMs,
    error: toText(attempt.error),
    response_excerpt: mayReceive(reader, delivery.eventType) ? toText(attempt.responseExcerpt) : '',
  })),
  next_attempt_at: toTimestampOrNull(delivery.nextAttemptAt),
  created_at: toTimestamp(delivery.createdAt),
})
