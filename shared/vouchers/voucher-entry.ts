import { type Static, Type } from 'typebox'
import { StoreModel } from '#shared/platform/db/model.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { VOUCHER_ENTRY_KINDS, type VoucherEntryKind } from './states.ts'

/** An entry of a voucher's ledger, in minor units of its currency. Entries never change. */
export class VoucherEntry extends StoreModel {
  static override tableName = 'voucher_entries'

  declare voucherId: string
  /** The position in the ledger, from 1, assigned under the voucher's lock. */
  declare number: number
  declare kind: VoucherEntryKind
  declare amountMinor: bigint
  /** The balance after the entry. */
  declare balanceMinor: bigint
  /** The order of the entry; null for entries of staff. */
  declare orderId: string | null
  declare actor: string
  declare createdAt: Date
}

export const VoucherEntryView = Shape({
  id: Uuid,
  kind: Type.Enum([...VOUCHER_ENTRY_KINDS]),
  amount: Type.Number({ description: 'Major units. Negative in an adjustment that lowers the balance' }),
  balance: Type.Number({ ...Money, description: 'The balance after the entry' }),
  order_id: Nullable(Uuid),
  actor: Type.String({ description: '`staff:…`, `api_token:…` or `system`' }),
  created_at: Timestamp,
})

/** Returns an entry of a voucher's ledger, in the voucher's currency. */
export const viewEntry = (entry: VoucherEntry, currency: string): Static<typeof VoucherEntryView> => ({
  id: entry.id,
  kind: entry.kind,
  amount: toMajor(entry.amountMinor, currency),
  balance: toMajor(entry.balanceMinor, currency),
  order_id: entry.orderId,
  actor: entry.actor,
  created_at: toTimestamp(entry.createdAt),
})
