import { Type } from 'typebox'
import { findAffiliate } from '#shared/affiliates/affiliate.ts'
import { CommissionEntry } from '#shared/affiliates/commission-entry.ts'
import { COMMISSION_ENTRY_KINDS } from '#shared/affiliates/states.ts'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

// Sort by id: entries have an index by id, and ids sort by time.
export const COMMISSION_ENTRIES = new List({
  sorts: { created_at: [], amount: 'amount_minor' },
  order: '-created_at',
  searches: 'Part of the id of the order or of the reference of a payout',
  text: ['order_id::text', 'reference'],
  filters: { kind: Type.Optional(Type.Enum([...COMMISSION_ENTRY_KINDS])) },
})

/** Returns one page of the ledger of an affiliate, by default newest first. Throws `resource.not_found`. */
export async function listCommissionEntries(
  tx: StoreTx,
  affiliateId: string,
  { kind, ...filter }: FilterOf<typeof COMMISSION_ENTRIES>,
) {
  const { id } = await findAffiliate(tx, affiliateId)
  const query = CommissionEntry.in(tx).where('affiliate_id', id)
  if (kind) query.where('kind', kind)
  return COMMISSION_ENTRIES.page(query, filter)
}
