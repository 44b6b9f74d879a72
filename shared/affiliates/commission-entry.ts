import { StoreModel } from '#shared/platform/db/model.ts'
import type { CommissionEntryKind } from './states.ts'

/** An entry of an affiliate's ledger. Entries are only added, never changed. Amounts in minor units of `currency`. */
export class CommissionEntry extends StoreModel {
  static override tableName = 'commission_entries'

  declare affiliateId: string
  /** From 1, without gaps. */
  declare number: number
  declare kind: CommissionEntryKind
  /** Added to the balance. */
  declare amountMinor: bigint
  /** The balance after it. */
  declare balanceMinor: bigint
  declare currency: string
  /** The order of a commission; null for a payout. */
  declare orderId: string | null
  /** When the commission is payable; null for a payout. */
  declare payableAt: Date | null
  /** The store's own reference of a payout. */
  declare reference: string | null
  declare actor: string
  declare createdAt: Date
}
