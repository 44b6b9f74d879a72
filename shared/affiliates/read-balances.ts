import { OPEN_DISPUTE_ORDERS } from '#shared/disputes/dispute.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { ORDERS_OF_DISPUTED_VOUCHERS } from '#shared/vouchers/redemptions/find-paying-voucher.ts'

/** The parts of an affiliate's ledger, in minor units. `pending` and `payable` add up to the balance. */
export interface Balance {
  /** The commissions that are not payable yet, and those whose order, or the voucher that pays it, is disputed. */
  pendingMinor: bigint
  /** The payable commissions, less payouts. Below 0 if a commission was reversed or disputed after its payout. */
  payableMinor: bigint
  /** All payouts. */
  paidMinor: bigint
}

const NOTHING: Balance = { pendingMinor: 0n, payableMinor: 0n, paidMinor: 0n }

/** Reads the balances of affiliates, with one query. */
export async function readBalances(tx: StoreTx, ids: readonly string[]): Promise<(id: string) => Balance> {
  if (ids.length === 0) return () => NOTHING
  const { rows } = await tx.knex.raw<{ rows: (Balance & { id: string })[] }>(
    `select affiliate_id as id,
       coalesce(sum(amount_minor) filter (where is_pending), 0)::bigint as "pendingMinor",
       coalesce(sum(amount_minor) filter (where not is_pending), 0)::bigint as "payableMinor",
       coalesce(-sum(amount_minor) filter (where kind = 'paid'), 0)::bigint as "paidMinor"
     from (
       select affiliate_id, kind, amount_minor,
         coalesce(
           payable_at > :at or order_id in (${OPEN_DISPUTE_ORDERS}) or order_id in (${ORDERS_OF_DISPUTED_VOUCHERS}),
           false) as is_pending
       from commission_entries where store_id = :store and affiliate_id = any(:ids)) as entries
     group by 1`,
    { at: now(), store: tx.storeId, ids: [...ids] },
  )
  const byId = new Map(rows.map(({ id, ...balance }) => [id, balance]))
  return (id) => byId.get(id) ?? NOTHING
}
