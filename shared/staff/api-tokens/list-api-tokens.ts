import { List, nullsOldest } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { unrevoked } from './api-token.ts'

export const API_TOKENS = new List({
  sorts: {
    created_at: 'created_at',
    updated_at: 'updated_at',
    name: 'name',
    expires_at: 'expires_at',
    last_used_at: nullsOldest('last_used_at'),
  },
  order: 'created_at',
  searches: 'Part of the name or the hint',
  text: ['name', 'hint'],
})

/** Returns one page of the store's unrevoked tokens, by default oldest first, and their number. */
export const listApiTokens = (tx: StoreTx, filter: ListFilter) => API_TOKENS.page(unrevoked(tx), filter)
