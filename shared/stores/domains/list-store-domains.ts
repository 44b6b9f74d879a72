import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { StoreDomain } from './store-domain.ts'

export const STORE_DOMAINS = new List({
  sorts: { created_at: 'created_at', domain: 'domain' },
  order: 'created_at',
  searches: 'Part of the domain',
  text: ['domain'],
})

/** Returns a page of the domains that the store claims, by default oldest first. */
export const listStoreDomains = (tx: StoreTx, filter: ListFilter) =>
  STORE_DOMAINS.page(StoreDomain.in(tx), filter)
