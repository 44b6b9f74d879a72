import { unlinkAccount } from '#shared/identity/identity-link.ts'
import { revokeAccess } from '#shared/identity/sessions/revoke-access.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { revokeApiTokensOfMember } from '#shared/staff/api-tokens/revoke-api-tokens-of-member.ts'

/**
 * Ends all access of a member for good. Otherwise a thief's API token or identity would work again after a
 * reactivation, and the same identity could not sign in to another account of the person.
 */
export async function endAccess(tx: StoreTx, id: string): Promise<void> {
  const account = { type: 'staff', id } as const
  await revokeAccess(tx, account, 'switched_off')
  await unlinkAccount(tx, account)
  await revokeApiTokensOfMember(tx, id)
}
