import { Type } from 'typebox'
import { SHORT_ORDER_IDS } from '#shared/inventory/shortages.ts'
import { type FilterOf, type LeadingOrder, List } from '#shared/platform/db/list.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import { narrowToMatches } from '#shared/platform/db/narrow-to-matches.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommaSeparated, UpdatedQuery } from '#shared/platform/http/query-parameters.ts'
import { Uuid } from '#shared/platform/http/schema.ts'
import { toSqlList } from '#shared/platform/states.ts'
import { searchedWords } from '#shared/platform/words.ts'
import { ORDER_NEEDS } from './find-filtered-order-ids.ts'
import { loadOrderViews } from './load-order-view.ts'
import { Order } from './order.ts'
import { ORDER_PAYMENT_METHODS } from './order-payment-methods.ts'
import { ORDER_WORDS } from './order-words.ts'
import {
  ENDED_ORDER_STATUSES,
  ORDER_PAYMENT_STATUSES,
  ORDER_STATUSES,
  type OrderPaymentStatus,
} from './states.ts'
import type { OrderView } from './view.ts'

export const ORDERS = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at', total: 'total_minor', number: 'number' },
  order: '-created_at',
  searches: 'Beginnings of up to ten words of the number, of the name or of the e-mail address',
  relevance: 'the exact number or e-mail address first, then the exact name (only up to 5,000 matches)',
  filters: {
    status: CommaSeparated(Type.Enum([...ORDER_STATUSES]), ORDER_STATUSES.length),
    payment_status: Type.Optional(Type.Enum([...ORDER_PAYMENT_STATUSES])),
    payment_method: CommaSeparated(Type.Enum([...ORDER_PAYMENT_METHODS]), ORDER_PAYMENT_METHODS.length),
    customer_id: Type.Optional(Uuid),
    subscription_id: Type.Optional({
      ...Uuid,
      description: 'The charges of a subscription',
    }),
    refund_owed: Type.Optional(
      Type.Boolean({
        description:
          'Refunded or canceled orders with captured money that is not refunded, e.g. because a bank returned a refund',
      }),
    ),
    needs: Type.Optional(
      Type.Enum([...ORDER_NEEDS], {
        description:
          'Orders that wait for staff. `payment_decision`: the gateway captured another amount or currency than was ' +
          'requested. `refund`: a refund failed, e.g. because a bank returned its money, and later ones have not ' +
          'paid as much; also of an order that is refunded in part. Or a surplus is owed that the gateway ' +
          'has refused to return or did not capture',
      }),
    ),
    short: Type.Optional(
      Type.Boolean({ description: 'Orders that cannot be filled: not all of their units are on hand' }),
    ),
    ...UpdatedQuery,
  },
})

/** `findFilteredOrderIds` has converted the filters by data of later domains to `ids`. */
export interface OrderFilter extends Omit<FilterOf<typeof ORDERS>, 'subscription_id' | 'needs'> {
  ids?: readonly string[] | undefined
}

const RELEVANCE = `case
  when lower(number) = lower(?) or lower(email) = lower(?) then 0
  when lower(?) in (lower(lastname), lower(firstname), lower(firstname || ' ' || lastname)) then 1
  else 2 end`

/** SQL of each payment status, which is derived from the amounts. */
const PAYMENT_STATUS: Record<OrderPaymentStatus, string> = {
  unpaid: 'amount_captured_minor = 0 and total_minor > 0',
  paid: 'amount_refunded_minor = 0 and (amount_captured_minor > 0 or total_minor = 0)',
  partially_refunded: 'amount_captured_minor > amount_refunded_minor and amount_refunded_minor > 0',
  refunded: 'amount_captured_minor > 0 and amount_refunded_minor = amount_captured_minor',
}

/** SQL: the order's `isRefundOwed`. */
export const REFUND_OWED = `status in ${toSqlList(ENDED_ORDER_STATUSES)} and amount_captured_minor > amount_refunded_minor`

/** Returns one page of the matching orders, by default newest first, and their total number. */
export async function listOrders(tx: StoreTx, filter: OrderFilter): Promise<Page<OrderView>> {
  const { q, ...others } = filter
  const query = matchingOrders(tx, others)
  const search = q === undefined ? null : await narrowToMatches(query, searchedIds(tx, q))
  const leading = search?.areFew ? byRelevance(filter) : undefined
  const { results, total } = await ORDERS.page(query, filter, leading)
  return { results: await loadOrderViews(tx, results), total }
}

function byRelevance({ q, sort }: OrderFilter): LeadingOrder | undefined {
  if (!q || sort) return undefined
  const words = q.trim()
  return { sql: RELEVANCE, bindings: [words, words, words] }
}

const searchedIds = (tx: StoreTx, q: string) => ORDER_WORDS.idsWithWords(tx, searchedWords(q))

/** Returns a query of the orders that match the filters of orders. `ORDERS` adds the filters that every list has. */
export function matchingOrders(tx: StoreTx, filter: OrderFilter) {
  const query = Order.in(tx)
  if (filter.status) query.whereIn('status', filter.status)
  if (filter.payment_method) query.whereIn('payment_method', filter.payment_method)
  if (filter.payment_status) query.whereRaw(PAYMENT_STATUS[filter.payment_status])
  if (filter.customer_id) query.where('customer_id', filter.customer_id)
  if (filter.ids) query.whereIn('id', [...filter.ids])
  if (filter.refund_owed !== undefined)
    query.whereRaw(filter.refund_owed ? REFUND_OWED : `not (${REFUND_OWED})`)
  if (filter.q !== undefined) query.whereIn('id', searchedIds(tx, filter.q))
  if (filter.short !== undefined) query.whereRaw(`id ${filter.short ? 'in' : 'not in'} (${SHORT_ORDER_IDS})`)
  return query
}
