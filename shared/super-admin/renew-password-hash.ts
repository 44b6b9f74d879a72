import { atPresentCost } from '../accounts/password.ts'
import { inPlatform } from '../platform/store-scope.ts'
import type { Confirmed } from './confirm-password.ts'

/** Keeps a super-admin's password, right a moment ago, by a hash of today's cost if it was kept by another. */
export async function renewPasswordHash(confirmed: Confirmed, password: string): Promise<Confirmed> {
  const { id, passwordHash: kept } = confirmed
  const passwordHash = await atPresentCost(password, kept)
  if (passwordHash !== kept)
    await inPlatform((knex) =>
      knex('super_admins').where({ id, password_hash: kept }).update({ password_hash: passwordHash }),
    )
  return { ...confirmed, passwordHash }
}
