import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { PublishableKey } from './publishable-key.ts'

export const PUBLISHABLE_KEYS = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at', name: "coalesce(name, '')" },
  order: '-created_at',
  searches: 'Part of the name, the hint or an allowed origin',
  text: ['name', 'hint', "array_to_string(allowed_origins, ' ')"],
})

/** Returns a page of the store's keys, by default newest first, ended ones included. */
export const listPublishableKeys = (tx: StoreTx, filter: ListFilter) =>
  PUBLISHABLE_KEYS.page(PublishableKey.in(tx), filter)
