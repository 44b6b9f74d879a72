import type { PayoutDetails } from '#shared/affiliates/payout-details.ts'
import { assertMay, type RightsHolder } from '#shared/staff/rights.ts'

/** Throws `auth.forbidden` if staff set payout details without the right to do so, and so could redirect a payment. */
export function assertMaySetPayout(
  staff: RightsHolder,
  { payout }: { payout?: PayoutDetails | null | undefined },
): void {
  if (payout !== undefined) assertMay(staff, 'reports:write')
}
