import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { knownRights } from '#shared/staff/rights.ts'
import { assertHoldsRights, lockActor } from '#shared/staff/roster.ts'
import { ApiToken, assertFutureExpiry, lockApiToken } from './api-token.ts'
import type { ApiTokenDraft } from './insert-api-token.ts'

export type ApiTokenChange = Partial<Omit<ApiTokenDraft, 'mode'>>

/**
 * Changes the name, the rights or the expiry of a token. Throws `user.privilege_escalation` if the token has or would
 * have more rights than the actor, and `resource.changed`.
 */
export async function updateApiToken(
  tx: StoreTx,
  actorId: string,
  id: string,
  { name, rights, expiresAt }: ApiTokenChange,
  ifMatch: string | undefined,
): Promise<ApiToken> {
  const actor = await lockActor(tx, actorId, 'users:write')
  const token = await lockApiToken(tx, id)
  assertUnchanged(token, ifMatch)
  assertHoldsRights(actor, knownRights(token.rights), rights ?? [])
  assertFutureExpiry(expiresAt)
  return ApiToken.in(tx).patchAndFetchById(id, { name, rights, expiresAt, updatedAt: nextUpdatedAt(token) })
}
