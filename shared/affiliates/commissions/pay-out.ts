import { lockAffiliate } from '#shared/affiliates/affiliate.ts'
import { CommissionEntry } from '#shared/affiliates/commission-entry.ts'
import { AffiliateErrors } from '#shared/affiliates/errors.ts'
import { readBalances } from '#shared/affiliates/read-balances.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { bookCommissionEntry } from './book-commission-entry.ts'

export interface PayoutRequest {
  /** The amount in minor units. Default: everything that is payable. */
  amountMinor?: bigint | undefined
  reference?: string | null | undefined
}

/**
 * Records that the store has paid an affiliate. Throws `resource.not_found`, `affiliate.nothing_payable` and
 * `affiliate.exceeds_payable`.
 */
export async function payOut(
  tx: StoreTx,
  affiliateId: string,
  { amountMinor: requestedMinor, reference = null }: PayoutRequest,
  { currency, actor }: { currency: string; actor: string },
): Promise<CommissionEntry> {
  // Lock first: the second of two concurrent payouts must see what the first one leaves.
  await lockAffiliate(tx, affiliateId)
  const balanceOf = await readBalances(tx, [affiliateId])
  const { payableMinor } = balanceOf(affiliateId)
  if (payableMinor <= 0n) throw AffiliateErrors.nothingPayable()
  const amountMinor = requestedMinor ?? payableMinor
  if (amountMinor > payableMinor)
    throw AffiliateErrors.exceedsPayable({ payable: formatMinor(payableMinor, currency) })
  const entry = { kind: 'paid', amountMinor: -amountMinor, orderId: null, payableAt: null } as const
  const id = await bookCommissionEntry(tx, { affiliateId, ...entry, currency, reference, actor })
  return CommissionEntry.in(tx).findById(id).throwIfNotFound()
}
