import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** The parts of an affiliate's ledger, in minor units. `pending` and `payable` add up to the balance. */
export interface Balance {
  /** The commissions that are not payable yet. */
  pendingMinor: bigint
  /** The commissions that are payable, less payouts. Below 0 if a commission was reversed after its payout. */
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
       coalesce(sum(amount_minor) filter (where payable_at > :at), 0)::bigint as "pendingMinor",
       coalesce(sum(amount_minor) filter (where payable_at is null or payable_at <= :at), 0)::bigint as "payableMinor",
       coalesce(-sum(amount_minor) filter (where kind = 'paid'), 0)::bigint as "paidMinor"
     from commission_entries where store_id = :store and affiliate_id = any(:ids) group by 1`,
    { at: now(), store: tx.storeId, ids: [...ids] },
  )
  const byId = new Map(rows.map(({ id, ...balance }) => [id, balance]))
  return (id) => byId.get(id) ?? NOTHING
}
