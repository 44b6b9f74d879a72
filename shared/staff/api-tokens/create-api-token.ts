import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import { ApiTokenErrors } from '#shared/staff/errors.ts'
import type { Right } from '#shared/staff/rights.ts'
import { assertHoldsRights, lockActor } from '#shared/staff/roster.ts'
import { ApiToken, assertFutureExpiry, unrevoked } from './api-token.ts'
import { type ApiTokenMode, newTokenText } from './token-text.ts'

// Each token has a share of the store's limit of requests.
const MAX_TOKENS = 100

export interface ApiTokenDraft {
  name: string
  rights: Right[]
  mode?: ApiTokenMode
  /** Null or undefined if it does not expire. */
  expiresAt?: Date | null
}

/**
 * Creates an API token. Its text is returned once; only its hash is stored. Throws `user.privilege_escalation` for
 * rights that the creator does not hold, and `api_token.limit_reached`.
 */
export async function createApiToken(
  tx: StoreTx,
  actorId: string,
  { name, rights, mode = 'live', expiresAt = null }: ApiTokenDraft,
): Promise<{ token: ApiToken; text: string }> {
  assertHoldsRights(await lockActor(tx, actorId, 'users:write'), rights)
  assertFutureExpiry(expiresAt)
  await assertBelowLimit(tx, unrevoked(tx), MAX_TOKENS, ApiTokenErrors.limitReached)
  const text = newTokenText(tx.storeId, mode)
  const at = now()
  const token = await ApiToken.in(tx).insert({
    name,
    tokenHash: sha256(text),
    hint: `${text.slice(0, 'cx_sk_live_'.length)}…${text.slice(-4)}`,
    mode,
    rights,
    createdBy: actorId,
    createdAt: at,
    updatedAt: at,
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
  })
  return { token, text }
}
