import { Type } from 'typebox'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import { narrowToMatches } from '#shared/platform/db/narrow-to-matches.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { UpdatedQuery } from '#shared/platform/http/query-parameters.ts'
import { Uuid } from '#shared/platform/http/schema.ts'
import { searchedWords } from '#shared/platform/words.ts'
import { loadReturnViews } from './load-return-views.ts'
import { Return } from './return.ts'
import { RETURN_WORDS } from './return-words.ts'
import { RETURN_STATUSES } from './states.ts'
import type { ReturnView } from './view.ts'

export const RETURNS = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at' },
  order: '-created_at',
  searches:
    "Beginnings of up to ten words of the return's or the order's number, or of the name or e-mail address of the " +
    'order',
  filters: {
    status: Type.Optional(Type.Enum([...RETURN_STATUSES])),
    order_id: Type.Optional(Uuid),
    customer_id: Type.Optional(Uuid),
    ...UpdatedQuery,
  },
})

export type ReturnFilter = FilterOf<typeof RETURNS>

/** Returns one page of the matching returns, by default newest first, and their total number. */
export async function listReturns(tx: StoreTx, filter: ReturnFilter): Promise<Page<ReturnView>> {
  const query = matchingReturns(tx, filter)
  if (filter.q !== undefined)
    await narrowToMatches(query, RETURN_WORDS.idsWithWords(tx, searchedWords(filter.q)))
  const { results, total } = await RETURNS.page(query, filter)
  return { results: await loadReturnViews(tx, results), total }
}

function matchingReturns(tx: StoreTx, filter: ReturnFilter) {
  const query = Return.in(tx)
  if (filter.status) query.where('status', filter.status)
  if (filter.order_id) query.where('order_id', filter.order_id)
  if (filter.customer_id) query.where('customer_id', filter.customer_id)
  return query
}
