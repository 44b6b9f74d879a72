import { normalizeEmail, STAFF } from '../accounts/email.ts'
import { type Failures, failuresOf, failuresSql } from '../accounts/failed-sign-ins.ts'
import { readPlatform } from '../platform/one-round-trip.ts'
import type { Confirmed } from './confirm-password.ts'

const FIND_CREDENTIALS = {
  name: 'find_super_admin_credentials',
  text: `
    select a.id, a.email, a.password_hash, failed.used, failed.ends_at
    from (select) tried
    left join (${failuresSql(`'${STAFF}'`)}) failed on true
    left join super_admins a on a.email_normalized = $1 and a.is_active`,
}

/** What a super-admin's password is held against, and how often signing in with the address has failed. */
export async function findSuperAdminToSignIn(
  email: string,
): Promise<{ found: Confirmed | null; failures: Failures }> {
  const [row = []] = await readPlatform(FIND_CREDENTIALS, [normalizeEmail(email)])
  const [id, address, passwordHash, used = null, endsAt = null] = row
  return {
    found: id && address && passwordHash ? { id, email: address, passwordHash } : null,
    failures: failuresOf(STAFF, email, [used, endsAt]),
  }
}

/** What a super-admin's password is held against. */
export const findSuperAdminCredentials = async (email: string): Promise<Confirmed | null> =>
  (await findSuperAdminToSignIn(email)).found
