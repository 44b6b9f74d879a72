import { assertNotSupport } from '#api/platform/auth/assert-not-support.ts'
import type { StaffOrApiToken } from '#api/platform/auth/callers.ts'
import { findAffiliateOfCustomer } from '#shared/affiliates/affiliate.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertMay } from '#shared/staff/rights.ts'

/** The part of a description for operations that call `assertMayEndAccount`. */
export const ENDS_AFFILIATE =
  'An affiliate account ends too, and its orders that are not complete earn nothing; this also needs `marketing:write`.'

/**
 * Refuses callers who may not delete the customer's affiliate account, which cannot be undone. Throws
 * `auth.support_forbidden` and `auth.forbidden`.
 */
export async function assertMayEndAccount(
  tx: StoreTx,
  caller: StaffOrApiToken,
  customerId: string,
): Promise<void> {
  if (!(await findAffiliateOfCustomer(tx, customerId))) return
  assertNotSupport(caller)
  assertMay(caller, 'marketing:write')
}
