import { Type } from 'typebox'
import { defineEvent } from '#shared/platform/events/events.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import { WebhookView } from './view.ts'

/** Sent on request, to one webhook only. */
export const webhookTest = defineEvent(
  'webhook.test',
  'system',
  'A test of a webhook was requested',
  Shape({ webhook_id: Uuid, message: Type.String() }),
)

export const webhookDisabled = defineEvent(
  'webhook.disabled',
  'system',
  'The service disabled a webhook because it is gone or keeps failing',
  WebhookView,
)
