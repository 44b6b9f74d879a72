import { assertNotSupport } from '#api/platform/auth/assert-not-support.ts'
import type { StaffOrApiToken } from '#api/platform/auth/callers.ts'
import { movesClaimedAccount } from '#shared/customers/account/moves-claimed-account.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ApiTokenErrors } from '#shared/staff/errors.ts'

/**
 * Refuses callers that could take over a customer's account by another address: the owner of the mailbox can set a
 * password. An API token changes only the address of an account that nobody signs in to. Throws
 * `auth.support_forbidden` and `auth.api_token_forbidden`.
 */
export async function assertMayChangeEmail(
  tx: StoreTx,
  caller: StaffOrApiToken,
  id: string,
  email: string,
): Promise<void> {
  assertNotSupport(caller)
  if (caller.type !== 'api_token') return
  if (await movesClaimedAccount(tx, id, email)) throw ApiTokenErrors.forbidden()
}
