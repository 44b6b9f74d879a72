import { Type } from 'typebox'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Uuid } from '#shared/platform/http/schema.ts'
import { Dispute } from './dispute.ts'
import { DISPUTE_STATUSES } from './states.ts'

export const DISPUTES = new List({
  sorts: {
    created_at: 'created_at',
    updated_at: 'updated_at',
    opened_at: 'opened_at',
    respond_by: 'respond_by',
    amount: 'amount_minor',
  },
  order: '-created_at',
  searches: "Part of the reason or the gateway's id",
  text: ['reason', 'gateway_reference'],
  filters: {
    status: Type.Optional(Type.Enum([...DISPUTE_STATUSES])),
    order_id: Type.Optional(Uuid),
  },
})

export type DisputeFilter = FilterOf<typeof DISPUTES>

/** Returns one page of the store's disputes, by default newest first, and their number. */
export function listDisputes(tx: StoreTx, filter: DisputeFilter): PromiseLike<Page<Dispute>> {
  const query = Dispute.in(tx)
  if (filter.status) query.where('status', filter.status)
  if (filter.order_id) query.where('order_id', filter.order_id)
  return DISPUTES.page(query, filter)
}
