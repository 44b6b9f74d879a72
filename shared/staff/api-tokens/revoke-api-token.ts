import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { ApiToken, lockApiToken } from './api-token.ts'

/** Revokes a token. Everyone who may manage tokens may revoke any of them. */
export async function revokeApiToken(tx: StoreTx, id: string): Promise<void> {
  await lockApiToken(tx, id)
  await ApiToken.in(tx).findById(id).patch({ revokedAt: now() })
}
