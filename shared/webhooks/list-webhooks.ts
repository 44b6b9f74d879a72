import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { existingWebhooks } from './webhook.ts'

export const WEBHOOKS = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at', url: 'url' },
  order: 'created_at',
  searches: 'Part of the URL, the description or an event type',
  text: ['url', 'description', "array_to_string(events, ' ')"],
})

/** Returns a page of the store's webhooks, by default oldest first. */
export const listWebhooks = (tx: StoreTx, filter: ListFilter) => WEBHOOKS.page(existingWebhooks(tx), filter)
