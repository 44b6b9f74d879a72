import type { CommissionEntry } from '#shared/affiliates/commission-entry.ts'
import { newId } from '#shared/platform/db/id.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

// One statement changes the balance and inserts the entry. The update locks the affiliate until the end of the
// transaction.
const BOOK_ENTRY: Statement = {
  name: 'book_commission_entry',
  text: `
  with changed as (
    update affiliates set balance_minor = balance_minor + $4::bigint, entry_count = entry_count + 1
    where store_id = ${CURRENT_STORE} and id = $1::uuid
    returning balance_minor, entry_count)
  insert into commission_entries
    (store_id, id, affiliate_id, number, kind, amount_minor, balance_minor, currency, order_id, payable_at, reference, actor,
     created_at)
  select ${CURRENT_STORE}, $2::uuid, $1::uuid, entry_count, $3, $4::bigint, balance_minor, $5, $6::uuid, $7::timestamptz, $8,
    $9, $10::timestamptz
  from changed`,
}

export type NewCommissionEntry = Pick<
  CommissionEntry,
  'affiliateId' | 'kind' | 'amountMinor' | 'currency' | 'orderId' | 'payableAt' | 'actor'
> &
  Partial<Pick<CommissionEntry, 'reference'>>

/** Adds an entry to an affiliate's ledger. Only entries change the balance. Returns the id of the entry. */
export async function bookCommissionEntry(tx: StoreTx, entry: NewCommissionEntry): Promise<string> {
  const id = newId()
  const { affiliateId, kind, amountMinor, currency, orderId, payableAt, reference = null, actor } = entry
  await tx.prepared(BOOK_ENTRY, [
    affiliateId,
    id,
    kind,
    amountMinor,
    currency,
    orderId,
    payableAt,
    reference,
    actor,
    now(),
  ])
  return id
}
