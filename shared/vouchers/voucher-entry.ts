import { type Static, Type } from 'typebox'
import type { Page, Paged } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Money, Nullable, Shape, Timestamp, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { ENTRY_KINDS, type EntryKind } from './states.ts'
import { findVoucher } from './voucher.ts'

/** An entry of a voucher's ledger, in minor units of its currency. Entries never change. */
export class VoucherEntry extends StoreModel {
  static override tableName = 'voucher_entries'

  declare voucherId: string
  /** The position in the ledger, from 1, assigned under the voucher's lock. */
  declare number: number
  declare kind: EntryKind
  declare amountMinor: bigint
  /** The balance after the entry. */
  declare balanceMinor: bigint
  /** The order of the entry; null for entries of staff. */
  declare orderId: string | null
  declare actor: string
  declare createdAt: Date
}

/** One page of a voucher's ledger, newest first, with its currency. Unknown voucher: 404. */
export async function listVoucherEntries(
  tx: StoreTx,
  voucherId: string,
  { page, page_size }: Paged,
): Promise<Page<VoucherEntry> & { currency: string }> {
  const { voucher } = await findVoucher(tx, voucherId)
  const { results, total } = await VoucherEntry.in(tx)
    .where('voucher_id', voucherId)
    .orderBy('number', 'desc')
    .page(page - 1, page_size)
  return { results, total, currency: voucher.currency }
}

export const VoucherEntryView = Shape({
  id: Uuid,
  kind: Type.Enum([...ENTRY_KINDS]),
  amount: Type.Number({ description: 'Major units. Negative in an adjustment that lowers the balance' }),
  balance: Type.Number({ ...Money, description: 'The balance after the entry' }),
  order_id: Nullable(Uuid),
  actor: Type.String({ description: '`staff:…`, `api_token:…` or `system`' }),
  created_at: Timestamp,
})

/** An entry of a voucher's ledger, in the voucher's currency. */
export const viewEntry = (entry: VoucherEntry, currency: string): Static<typeof VoucherEntryView> => ({
  id: entry.id,
  kind: entry.kind,
  amount: toMajor(entry.amountMinor, currency),
  balance: toMajor(entry.balanceMinor, currency),
  order_id: entry.orderId,
  actor: entry.actor,
  created_at: toTimestamp(entry.createdAt),
})
