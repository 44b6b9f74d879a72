import { Type } from 'typebox'
import { type FilterOf, List, nullsOldest } from '#shared/platform/db/list.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import { narrowToMatches } from '#shared/platform/db/narrow-to-matches.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommaSeparated, UpdatedQuery } from '#shared/platform/http/query-parameters.ts'
import { Uuid } from '#shared/platform/http/schema.ts'
import { searchedWords } from '#shared/platform/words.ts'
import { loadSubscriptionViews } from './load-subscription-views.ts'
import { SUBSCRIPTION_STATUSES } from './states.ts'
import { Subscription } from './subscription.ts'
import { SUBSCRIPTION_WORDS } from './subscription-words.ts'
import type { SubscriptionView } from './view.ts'

export const SUBSCRIPTIONS = new List({
  sorts: {
    created_at: 'created_at',
    updated_at: 'updated_at',
    next_charge_at: nullsOldest('next_charge_at'),
  },
  order: '-created_at',
  searches:
    'Beginnings of up to ten words of the name of the customer, of the product or of the plan, or of the SKU',
  filters: {
    status: CommaSeparated(Type.Enum([...SUBSCRIPTION_STATUSES]), SUBSCRIPTION_STATUSES.length),
    customer_id: Type.Optional(Uuid),
    recurring_plan_id: Type.Optional(Uuid),
    product_id: Type.Optional(Uuid),
    ...UpdatedQuery,
  },
})

export type SubscriptionFilter = FilterOf<typeof SUBSCRIPTIONS>

/** Returns one page of the matching subscriptions, by default newest first, and their total number. */
export async function listSubscriptions(
  tx: StoreTx,
  filter: SubscriptionFilter,
  language: string,
): Promise<Page<SubscriptionView>> {
  const query = Subscription.in(tx)
  if (filter.status) query.whereIn('status', filter.status)
  if (filter.customer_id) query.where('customer_id', filter.customer_id)
  if (filter.recurring_plan_id) query.where('recurring_plan_id', filter.recurring_plan_id)
  if (filter.product_id) query.where('product_id', filter.product_id)
  if (filter.q !== undefined)
    await narrowToMatches(query, SUBSCRIPTION_WORDS.idsWithWords(tx, searchedWords(filter.q)))
  const { results, total } = await SUBSCRIPTIONS.page(query, filter)
  return { results: await loadSubscriptionViews(tx, results, language), total }
}
