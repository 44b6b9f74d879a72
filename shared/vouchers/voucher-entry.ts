import { StoreModel } from '#shared/platform/db/model.ts'
import type { EntryKind } from './states.ts'

/** One entry of a voucher's ledger, in minor units of its currency. Entries are written, never changed. */
export class VoucherEntry extends StoreModel {
  static override tableName = 'voucher_entries'

  declare voucherId: string
  /** Its place in the ledger, from 1: entries are numbered as they are booked, under the voucher's lock. */
  declare number: number
  declare kind: EntryKind
  declare amountMinor: bigint
  /** What remained after it. */
  declare balanceMinor: bigint
  /** The order that it is for; null for what staff do. */
  declare orderId: string | null
  declare actor: string
  declare createdAt: Date
}
