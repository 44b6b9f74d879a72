import type { PayoutDetails } from '#shared/affiliates/payout-details.ts'
import { assertMay, type RightsHolder } from '#shared/staff/rights.ts'

/** Who sets payout details. `id`: the caller whose mails are counted. */
export interface PayoutEditor extends RightsHolder {
  id: string
}

/**
 * Throws `auth.forbidden` if staff set payout details without the rights to write and to read them, and so could
 * redirect a payment. The audit log has what the caller may read: the ends of the details before and after the change.
 */
export function assertMaySetPayout(
  staff: RightsHolder,
  { payout }: { payout?: PayoutDetails | null | undefined },
): void {
  if (payout !== undefined) assertMay(staff, 'reports:write', 'reports:read')
}
