import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { rowsOf, type StoreAccount } from './principal.ts'

const TABLES = [
  'sessions',
  'account_links',
  'identity_links',
  'two_factor',
  'recovery_codes',
  'security_events',
] as const

/**
 * Deletes the sign-in data of an account: sessions, mailed links, links to identity providers, second factor, recovery
 * codes and security events. Its tokens end.
 */
export async function eraseAccount(tx: StoreTx, account: StoreAccount): Promise<void> {
  for (const table of TABLES) await tx.knex(table).where(rowsOf(tx, account)).delete()
}
