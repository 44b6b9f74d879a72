import { normalizeEmail, STAFF } from '#shared/identity/email.ts'
import { failuresOf, failuresSql } from '#shared/identity/throttling/failed-sign-ins.ts'
import type { Failures } from '#shared/identity/throttling/failures.ts'
import { readOnPlatform } from '#shared/platform/db/pipelined-query.ts'
import type { SuperAdmin } from './super-admin.ts'

/** What a super-admin's password is held against. */
export interface SuperAdminCredentials extends SuperAdmin {
  passwordHash: string
}

const FIND_CREDENTIALS = {
  name: 'find_super_admin_credentials',
  text: `
    select a.id, a.email, a.password_hash, failed.used, failed.ends_at
    from (select) tried
    left join (${failuresSql(`'${STAFF}'`)}) failed on true
    left join super_admins a on a.email_normalized = $1 and a.is_active`,
}

/** Finds the super-admin whom an e-mail address belongs to, and how often signing in with it has failed. */
export async function findSuperAdminToSignIn(
  email: string,
): Promise<{ found: SuperAdminCredentials | null; failures: Failures }> {
  const [row = []] = await readOnPlatform(FIND_CREDENTIALS, [normalizeEmail(email)])
  const [id, address, passwordHash, used = null, endsAt = null] = row
  return {
    found: id && address && passwordHash ? { id, email: address, passwordHash } : null,
    failures: failuresOf(STAFF, email, [used, endsAt]),
  }
}

/** Finds the super-admin whom an e-mail address belongs to. */
export const findSuperAdminCredentials = async (email: string): Promise<SuperAdminCredentials | null> =>
  (await findSuperAdminToSignIn(email)).found
