import { type Static, Type } from 'typebox'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CreatedBy, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
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
  created_by: {
    ...CreatedBy,
    description:
      'The staff member who created it, or who gave it another URL; null if a super-admin or the service did',
  },
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const WebhookView = Shape(webhookFields)

/** Only the responses to creation and rotation contain the secret. */
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
  created_by: webhook.createdBy,
  created_at: toTimestamp(webhook.createdAt),
  updated_at: toTimestamp(webhook.updatedAt),
})
