import { Type } from 'typebox'
import { normalizeEmail } from '#shared/identity/email.ts'
import { type FilterOf, type LeadingOrder, List, nullsOldest } from '#shared/platform/db/list.ts'
import { filterByTime, type Page } from '#shared/platform/db/list-query.ts'
import { narrowToMatches } from '#shared/platform/db/narrow-to-matches.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { UpdatedQuery } from '#shared/platform/http/query-parameters.ts'
import { Money, Uuid } from '#shared/platform/http/schema.ts'
import { Customer } from './customer.ts'
import { countCustomers } from './customer-counts.ts'
import { CUSTOMER_WORDS, searchedWords } from './customer-words.ts'

const Time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

// Each sort has an index. Sorted by last order, customers without an order are the oldest.
export const CUSTOMERS = new List({
  sorts: {
    created_at: 'created_at',
    updated_at: 'updated_at',
    last_order_at: nullsOldest('last_order_at'),
    total_spent: 'total_spent_minor',
    lastname: 'lower(lastname)',
  },
  order: '-created_at',
  relevance: 'the exact e-mail address first, then the exact name, unless more than 5,000 match',
  searches: 'Beginnings of up to ten words of the name or of the e-mail address, or a telephone number',
  filters: {
    group_id: Type.Optional(Uuid),
    is_active: Type.Optional(Type.Boolean()),
    accepts_marketing: Type.Optional(Type.Boolean()),
    has_orders: Type.Optional(Type.Boolean()),
    total_spent_from: Type.Optional(Money),
    total_spent_to: Type.Optional({ ...Money, description: 'Inclusive' }),
    last_order_from: Time('The last order was placed at this time or later'),
    last_order_to: Time('The last order was placed before this time'),
    ...UpdatedQuery,
  },
})

/** The sums are in minor units. */
export interface CustomerFilter
  extends Omit<FilterOf<typeof CUSTOMERS>, 'total_spent_from' | 'total_spent_to'> {
  total_spent_from?: bigint
  total_spent_to?: bigint
}

/** Returns one page of the matching customers, and their total number. */
export async function listCustomers(tx: StoreTx, filter: CustomerFilter): Promise<Page<Customer>> {
  const { q, ...others } = filter
  const matching = matchingCustomers(tx, others)
  if (isCounted(filter)) return CUSTOMERS.pageOf(matching, filter, await countCustomers(tx, filter.group_id))
  const search = q === undefined ? null : await narrowToMatches(matching, searchedIds(tx, q))
  return CUSTOMERS.page(matching, filter, search?.areFew ? byRelevance(filter) : undefined)
}

const COUNTED: ReadonlySet<string> = new Set(['page', 'page_size', 'sort', 'group_id'])

/** Whether the number of matching customers is stored: the filter matches all customers of the store or of a group. */
const isCounted = (filter: CustomerFilter): boolean =>
  Object.entries(filter).every(([name, value]) => value === undefined || COUNTED.has(name))

const RELEVANCE = `case
  when email_normalized = ? then 0
  when lower(?) in (lower(lastname), lower(firstname), lower(firstname || ' ' || lastname)) then 1
  else 2 end`

function byRelevance({ q, sort }: CustomerFilter): LeadingOrder | undefined {
  if (!q || sort) return undefined
  return { sql: RELEVANCE, bindings: [normalizeEmail(q.trim()), q.trim()] }
}

const searchedIds = (tx: StoreTx, q: string) => CUSTOMER_WORDS.idsWithWords(tx, searchedWords(q))

/**
 * Returns a query of the customers that match the filters of this list alone. `CUSTOMERS` adds the filters that every
 * list has.
 */
export function matchingCustomers(tx: StoreTx, filter: CustomerFilter) {
  const query = Customer.in(tx)
  const { group_id, is_active, accepts_marketing, has_orders, q } = filter
  if (group_id) query.where('customer_group_id', group_id)
  if (is_active !== undefined) query.where('is_active', is_active)
  if (accepts_marketing !== undefined) query.where('accepts_marketing', accepts_marketing)
  if (has_orders !== undefined) query.where('orders_count', has_orders ? '>' : '=', 0)
  if (filter.total_spent_from !== undefined)
    query.where('total_spent_minor', '>=', String(filter.total_spent_from))
  if (filter.total_spent_to !== undefined)
    query.where('total_spent_minor', '<=', String(filter.total_spent_to))
  filterByTime(query, 'last_order_at', filter.last_order_from, filter.last_order_to)
  if (q !== undefined) query.whereIn('id', searchedIds(tx, q))
  return query
}
