import { atPresentCost } from './password.ts'

/** Writes another hash down for an account, provided that it has this one still. */
type Replace = (kept: string, passwordHash: string) => Promise<unknown>

/**
 * Keeps a password that was right a moment ago by a hash of today's cost, if it was kept by another, and returns the
 * credentials with the hash that counts now. Whoever guesses pays the new price, though nobody chose a new password.
 */
export async function renewPasswordHash<C extends { passwordHash: string | null }>(
  credentials: C,
  password: string,
  replace: Replace,
): Promise<C> {
  const { passwordHash: kept } = credentials
  if (kept === null) return credentials
  const passwordHash = await atPresentCost(password, kept)
  if (passwordHash !== kept) await replace(kept, passwordHash)
  return { ...credentials, passwordHash }
}
