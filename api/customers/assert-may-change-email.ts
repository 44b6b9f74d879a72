import { assertNotSupport } from '#api/platform/auth/assert-not-support.ts'
import type { StaffOrApiToken } from '#api/platform/auth/callers.ts'
import { findAffiliateOfCustomer } from '#shared/affiliates/affiliate.ts'
import { lockIfMoved } from '#shared/customers/account/lock-if-moved.ts'
import { isClaimed } from '#shared/customers/customer.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ApiTokenErrors } from '#shared/staff/errors.ts'
import { ACTS_AS_CUSTOMER, assertMay, OPENS_CUSTOMER_ACCOUNTS } from '#shared/staff/rights.ts'

/**
 * Refuses callers that could take over a customer's account by another address, and see or do there what their rights
 * do not allow: the owner of the mailbox can set a password. An account shows orders and changes subscriptions, and the
 * account of an affiliate changes payout details. An API token changes only the address of an account that nobody signs
 * in to. Throws `auth.support_forbidden`, `auth.api_token_forbidden` and `auth.forbidden`.
 */
export async function assertMayChangeEmail(
  tx: StoreTx,
  caller: StaffOrApiToken,
  id: string,
  email: string,
): Promise<void> {
  assertNotSupport(caller)
  const customer = await lockIfMoved(tx, id, email)
  if (!customer) return
  const isInUse = isClaimed(customer)
  if (isInUse && caller.type === 'api_token') throw ApiTokenErrors.forbidden()
  if (await findAffiliateOfCustomer(tx, id)) assertMay(caller, ...OPENS_CUSTOMER_ACCOUNTS)
  if (isInUse) assertMay(caller, ...ACTS_AS_CUSTOMER)
}
