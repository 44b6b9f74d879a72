import type { AccountName } from '../accounts/account-name.ts'
import { atPresentCost } from '../accounts/password.ts'
import { Customer } from '../customers/customer.ts'
import { inStore } from '../platform/store-scope.ts'
import { StaffMember } from '../staff/staff-member.ts'

/**
 * Keeps a password that was right a moment ago by a hash of today's cost, if it was kept by another, and returns the
 * credentials with the hash that counts now. Whoever guesses pays the new price, though nobody chose a new password.
 */
export async function renewPasswordHash<C extends { id: string; passwordHash: string | null }>(
  storeId: string,
  type: AccountName['type'],
  credentials: C,
  password: string,
): Promise<C> {
  const { id, passwordHash: kept } = credentials
  const passwordHash = kept && (await atPresentCost(password, kept))
  if (passwordHash !== kept)
    await inStore(storeId, (tx) =>
      (type === 'customer' ? Customer.in(tx) : StaffMember.in(tx))
        .where({ id, password_hash: kept })
        .patch({ passwordHash }),
    )
  return { ...credentials, passwordHash }
}
