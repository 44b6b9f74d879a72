import { webhookTest } from './events.ts'
import { matches } from './patterns.ts'
import type { Webhook } from './webhook.ts'

/** Whether a webhook gets all events of a type. A test goes to one webhook only, so none subscribes to tests. */
export const subscribesTo = ({ events }: Pick<Webhook, 'events'>, type: string): boolean =>
  type !== webhookTest.type && matches(events, type)

/** Whether a delivery to a webhook may still be sent: a test, or an event to which the webhook subscribes now. */
export const covers = (webhook: Pick<Webhook, 'events'>, type: string): boolean =>
  type === webhookTest.type || subscribesTo(webhook, type)
