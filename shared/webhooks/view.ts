import { type Static, Type } from 'typebox'
import {
  Nullable,
  Shape,
  Timestamp,
  toText,
  toTimestamp,
  toTimestampOrNull,
  Uuid,
} from '#shared/platform/http/schema.ts'
import type { WebhookAttempt } from './attempt.ts'
import { DELIVERY_STATUSES, type WebhookDelivery } from './delivery.ts'
import { DISABLED_REASONS, type Webhook } from './webhook.ts'

const webhookFields = {
  id: Uuid,
  url: Type.String(),
  events: Type.Array(Type.String(), { description: 'Event types, `order.*`, or `*`' }),
  description: Type.String(),
  is_active: Type.Boolean(),
  disabled_reason: Nullable(
    Type.Enum([...DISABLED_REASONS], {
      description: 'Why the service disabled it: it responded 410, or failed for five days',
    }),
  ),
  failing_since: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const WebhookView = Shape(webhookFields)

/** Only the responses of creation and rotation contain the secret. */
export const WebhookWithSecretView = Shape({
  ...webhookFields,
  secret: Type.String({ description: 'Signing secret (Standard Webhooks). Only this response shows it' }),
})

export const viewWebhook = (webhook: Webhook): Static<typeof WebhookView> => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  description: toText(webhook.description),
  is_active: webhook.isActive,
  disabled_reason: webhook.disabledReason,
  failing_since: toTimestampOrNull(webhook.failingSince),
  created_at: toTimestamp(webhook.createdAt),
  updated_at: toTimestamp(webhook.updatedAt),
})

const WebhookAttemptView = Shape({
  at: Timestamp,
  status_code: Nullable(Type.Integer()),
  duration_ms: Type.Integer(),
  error: Type.String({ description: 'Why the request failed' }),
  response_excerpt: Type.String({
    description: 'Start of the response body, at most 1 KB, without control characters',
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

export const viewDelivery = (
  delivery: WebhookDelivery,
  attempts: readonly WebhookAttempt[],
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
    response_excerpt: toText(attempt.responseExcerpt),
  })),
  next_attempt_at: toTimestampOrNull(delivery.nextAttemptAt),
  created_at: toTimestamp(delivery.createdAt),
})
