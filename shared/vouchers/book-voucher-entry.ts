import { newId } from '#shared/platform/db/id.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { EFFECT_OF_ENTRY, type VoucherEntryKind } from './states.ts'

// One statement checks and changes the balance and inserts the entry, so that two entries cannot spend the same money.
const BOOK_ENTRY: Statement = {
  name: 'book_voucher_entry',
  text: `
  with changed as (
    update vouchers set
      amount_minor = amount_minor + $3::bigint,
      reserved_minor = reserved_minor + $4::bigint,
      spent_minor = spent_minor + $5::bigint,
      entry_count = entry_count + 1,
      updated_at = greatest($6::timestamptz, updated_at + interval '1 millisecond')
    where store_id = ${CURRENT_STORE} and id = $1::uuid
      and amount_minor + $3::bigint >= reserved_minor + $4::bigint + spent_minor + $5::bigint
      and reserved_minor + $4::bigint >= 0 and spent_minor + $5::bigint >= 0
    returning amount_minor - reserved_minor - spent_minor as balance_minor, entry_count)
  insert into voucher_entries
    (store_id, id, voucher_id, number, kind, amount_minor, balance_minor, order_id, actor, created_at)
  select ${CURRENT_STORE}, $2::uuid, $1::uuid, entry_count, $7, $8::bigint, balance_minor, $9::uuid, $10, $6
  from changed
  returning balance_minor`,
}

export interface NewVoucherEntry {
  voucherId: string
  kind: VoucherEntryKind
  amountMinor: bigint
  /** The order of the entry. */
  orderId?: string | null
  /** `staff:…`, or `system` by default. */
  actor?: string
}

/**
 * Inserts a ledger entry. Only entries change a voucher's amounts, so its row is always the sum of its entries. Returns
 * the new balance. If the balance is too low, changes nothing and returns undefined.
 */
export async function bookVoucherEntry(
  tx: StoreTx,
  { voucherId, kind, amountMinor, orderId = null, actor = 'system' }: NewVoucherEntry,
): Promise<bigint | undefined> {
  const { amount, reserved, spent } = EFFECT_OF_ENTRY[kind]
  const deltas = [amount, reserved, spent].map((factor) => BigInt(factor) * amountMinor)
  const values = [voucherId, newId(), ...deltas, now(), kind, amountMinor, orderId, actor]
  const [booked] = await tx.prepared<{ balance_minor: bigint }>(BOOK_ENTRY, values)
  return booked?.balance_minor
}
