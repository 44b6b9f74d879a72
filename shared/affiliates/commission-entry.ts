import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { CommissionEntryKind } from './states.ts'

/** An entry of an affiliate's ledger. Entries never change. Amounts are in minor units of `currency`. */
export class CommissionEntry extends StoreModel {
  static override tableName = 'commission_entries'

  declare affiliateId: string
  /** The position in the ledger, from 1 without gaps. */
  declare number: number
  declare kind: CommissionEntryKind
  /** The amount that the entry adds to the balance. */
  declare amountMinor: bigint
  /** The balance after the entry. */
  declare balanceMinor: bigint
  declare currency: string
  /** The order of a commission; null for a payout. */
  declare orderId: string | null
  /** The time from which the commission is payable; null for a payout. */
  declare payableAt: Date | null
  /** The store's own reference of a payout. */
  declare reference: string | null
  declare actor: string
  declare createdAt: Date
}

/** Returns the newest entries of an affiliate's ledger. */
export const findLatestCommissionEntries = (
  tx: StoreTx,
  affiliateId: string,
  count: number,
): PromiseLike<CommissionEntry[]> =>
  CommissionEntry.in(tx).where('affiliate_id', affiliateId).orderBy('number', 'desc').limit(count)
