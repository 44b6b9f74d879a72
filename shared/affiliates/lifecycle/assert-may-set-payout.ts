import type { PayoutDetails } from '#shared/affiliates/payout-details.ts'
import { assertMay, type RightsHolder } from '#shared/staff/rights.ts'

/**
 * Throws `auth.forbidden` if staff set payout details without the rights to write and to read them, and so could
 * redirect a payment. Reading is needed too, because the audit entry shows the caller the last characters of the old
 * and the new details.
 */
export function assertMaySetPayout(
  staff: RightsHolder,
  { payout }: { payout?: PayoutDetails | null | undefined },
): void {
  if (payout !== undefined) assertMay(staff, 'reports:write', 'reports:read')
}
