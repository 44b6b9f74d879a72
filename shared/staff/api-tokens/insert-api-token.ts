import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Right } from '#shared/staff/rights.ts'
import { ApiToken } from './api-token.ts'
import { type ApiTokenMode, newTokenText } from './token-text.ts'

export interface ApiTokenDraft {
  name: string
  rights: Right[]
  mode?: ApiTokenMode
  /** Null or undefined if it does not expire. */
  expiresAt?: Date | null
}

/** Inserts an API token of a staff member. Its text is returned once; only its hash is stored. */
export async function insertApiToken(
  tx: StoreTx,
  createdBy: string,
  { name, rights, mode = 'live', expiresAt = null }: ApiTokenDraft,
): Promise<{ token: ApiToken; text: string }> {
  const text = newTokenText(tx.storeId, mode)
  const at = now()
  const token = await ApiToken.in(tx).insert({
    name,
    tokenHash: sha256(text),
    hint: `${text.slice(0, 'cx_sk_live_'.length)}…${text.slice(-4)}`,
    mode,
    rights,
    createdBy,
    createdAt: at,
    updatedAt: at,
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
  })
  return { token, text }
}
