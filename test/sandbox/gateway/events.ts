import { type Books, newId, unixNow } from './books.ts'
import type { Event, StripeObject } from './types.ts'

/** The version of Stripe's API that the events are shaped by: the one the `stripe` package is made for. */
export const API_VERSION = '2026-10-28.endive'

/** What a request handler works with. */
export type Desk = {
  books: Books
  /** Where the gateway itself answers, for the page that stands in for a bank's. */
  url: string
  requestId: string
  idempotencyKey: string | null
  /** How many addresses hear of events. */
  listeners: number
}

/** Notes an event in the same change as what it tells of; it is sent once that is written. */
export function announce(desk: Desk, type: string, object: StripeObject): Event {
  return desk.books.put('events', {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: unixNow(),
    data: { object },
    livemode: false,
    pending_webhooks: desk.listeners,
    request: { id: desk.requestId, idempotency_key: desk.idempotencyKey },
    type,
  })
}
