import { type Static, Type } from 'typebox'
import { List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Money, Nullable, Shape, Timestamp, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { VOUCHER_ENTRY_KINDS, type VoucherEntryKind } from './states.ts'
import { findVoucher } from './voucher.ts'

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

export const VOUCHER_ENTRIES = new List({
  sorts: { created_at: 'number', amount: 'amount_minor' },
  order: '-created_at',
  searches: 'Part of the kind or the actor',
  text: ['kind', 'actor'],
})

/**
 * Returns one page of a voucher's ledger, by default newest first, with its currency. Throws `resource.not_found` for
 * an unknown voucher.
 */
export async function listVoucherEntries(
  tx: StoreTx,
  voucherId: string,
  filter: ListFilter,
): Promise<Page<VoucherEntry> & { currency: string }> {
  const { voucher } = await findVoucher(tx, voucherId)
  const { results, total } = await VOUCHER_ENTRIES.page(
    VoucherEntry.in(tx).where('voucher_id', voucherId),
    filter,
  )
  return { results, total, currency: voucher.currency }
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
