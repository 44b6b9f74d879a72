import type { Device } from '#shared/identity/device.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ApiTokenErrors } from '#shared/staff/errors.ts'
import { assertHoldsRights, lockActor } from '#shared/staff/roster.ts'
import { type ApiToken, assertFutureExpiry, unrevoked } from './api-token.ts'
import { type ApiTokenDraft, insertApiToken } from './insert-api-token.ts'
import { mailTokenGrant } from './mail-token-grant.ts'

// Each token has a share of the store's limit of requests.
const MAX_TOKENS = 100

/**
 * Creates an API token, and mails its creator and the store's owner about it. Throws `user.privilege_escalation` for
 * rights that the creator does not hold, and `api_token.limit_reached`.
 */
export async function createApiToken(
  tx: StoreTx,
  actorId: string,
  draft: ApiTokenDraft,
  device: Device,
): Promise<{ token: ApiToken; text: string }> {
  const actor = await lockActor(tx, actorId, 'users:write')
  assertHoldsRights(actor, draft.rights)
  assertFutureExpiry(draft.expiresAt)
  await assertBelowLimit(tx, unrevoked(tx), MAX_TOKENS, ApiTokenErrors.limitReached)
  const created = await insertApiToken(tx, actorId, draft)
  await recordSecurityEvent(tx, 'api_token_created', { type: 'staff', id: actorId }, device)
  await mailTokenGrant(tx, created.token, actor.member, { isNew: true, device })
  return created
}
