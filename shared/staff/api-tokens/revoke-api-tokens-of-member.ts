import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { unrevoked } from './api-token.ts'

/** Revokes every token that a staff member has created. */
export async function revokeApiTokensOfMember(tx: StoreTx, staffId: string): Promise<void> {
  await unrevoked(tx).where('created_by', staffId).patch({ revokedAt: now() })
}
