import { Type } from 'typebox'
import { defineEvent } from '#shared/platform/events/events.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import { WebhookEndpointView } from './view.ts'

/** Sent on demand, to the one endpoint it names. */
export const webhookTest = defineEvent(
  'webhook.test',
  'A test of one webhook was asked for',
  Shape({ webhook_id: Uuid, message: Type.String() }),
)

export const webhookDisabled = defineEvent(
  'webhook.disabled',
  'The service switched a webhook off, for it is gone or kept failing',
  WebhookEndpointView,
)
