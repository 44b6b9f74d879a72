import { type Books, newId, unixNow } from './books.ts'
import type { Event, StripeObject } from './types.ts'

/** The API version of the events: that of the `stripe` package. */
export const API_VERSION = '2026-10-28.endive'

/** The context of a request handler. */
export type Context = {
  books: Books
  /** The gateway's own URL, for the bank's authentication page. */
  url: string
  requestId: string
  idempotencyKey: string | null
  /** The number of webhook URLs. */
  listeners: number
}

/** Records an event in the same commit as the change it reports. The event is sent after the commit. */
export function recordEvent(context: Context, type: string, object: StripeObject): Event {
  return context.books.put('events', {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: unixNow(),
    data: { object },
    livemode: false,
    pending_webhooks: context.listeners,
    request: { id: context.requestId, idempotency_key: context.idempotencyKey },
    type,
  })
}
