import {
  type CreatedAtFilter,
  filterByCreatedAt,
  type Page,
  type Paged,
  sortOrder,
} from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Customer } from './customer.ts'
import { customersWithWord, searchedWords } from './customer-words.ts'

export const CUSTOMER_SORTS = [
  '-created_at',
  'created_at',
  '-last_order_at',
  'last_order_at',
  '-total_spent',
  'total_spent',
  'lastname',
  '-lastname',
] as const
export type CustomerSort = (typeof CUSTOMER_SORTS)[number]

export interface CustomerFilter extends CreatedAtFilter {
  /** Beginnings of words of the name and the address, or of a telephone number. */
  q?: string
  group_id?: string
  is_active?: boolean
  accepts_marketing?: boolean
  has_orders?: boolean
  /** Inclusive, in minor units. */
  total_spent_from?: bigint
  total_spent_to?: bigint
  updated_from?: string
  updated_to?: string
  last_order_from?: string
  last_order_to?: string
}

// Each has an index; customers without an order are the oldest by their last order.
const SORT_KEYS: Record<string, (direction: 'asc' | 'desc') => string> = {
  created_at: (direction) => `created_at ${direction}`,
  last_order_at: (direction) => `last_order_at ${direction} nulls ${direction === 'asc' ? 'first' : 'last'}`,
  total_spent: (direction) => `total_spent_minor ${direction}`,
  lastname: (direction) => `lower(lastname) ${direction}`,
}

/** One page of the store's customers that match the filter, and their number. */
export async function listCustomers(
  tx: StoreTx,
  filter: CustomerFilter,
  { page, page_size, sort }: Paged & { sort: CustomerSort },
): Promise<Page<Customer>> {
  const { by, direction } = sortOrder(sort)
  const matching = matchingCustomers(tx, filter)
  const total = await matching.clone().resultSize()
  const results = await matching
    .orderByRaw(`${SORT_KEYS[by]?.(direction)}, id ${direction}`)
    .offset((page - 1) * page_size)
    .limit(page_size)
  return { results, total }
}

function matchingCustomers(tx: StoreTx, filter: CustomerFilter) {
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
  filterByCreatedAt(query, filter)
  filterByCreatedAt(query, { created_from: filter.updated_from, created_to: filter.updated_to }, 'updated_at')
  filterByCreatedAt(
    query,
    { created_from: filter.last_order_from, created_to: filter.last_order_to },
    'last_order_at',
  )
  if (q !== undefined) for (const word of searchedWords(q)) query.whereIn('id', customersWithWord(tx, word))
  return query
}
