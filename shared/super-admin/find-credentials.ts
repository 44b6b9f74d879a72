import { normalizeEmail } from '../accounts/email.ts'
import { readPlatform } from '../platform/one-round-trip.ts'
import type { SuperAdmin } from './super-admin.ts'

const FIND_CREDENTIALS = {
  name: 'find_super_admin_credentials',
  text: 'select id, email, password_hash from super_admins where email_normalized = $1 and is_active',
}

/** What a super-admin's password is held against. */
export async function findSuperAdminCredentials(
  email: string,
): Promise<(SuperAdmin & { passwordHash: string }) | null> {
  const [row] = await readPlatform(FIND_CREDENTIALS, [normalizeEmail(email)])
  const [id, address, passwordHash] = row ?? []
  return id && address && passwordHash ? { id, email: address, passwordHash } : null
}
