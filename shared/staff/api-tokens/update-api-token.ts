import type { Device } from '#shared/identity/device.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { knownRights } from '#shared/staff/rights.ts'
import { assertHoldsRights, lockActor } from '#shared/staff/roster.ts'
import { ApiToken, assertFutureExpiry, lockApiToken } from './api-token.ts'
import type { ApiTokenDraft } from './insert-api-token.ts'
import { mailTokenGrant } from './mail-token-grant.ts'

export type ApiTokenChange = Partial<Omit<ApiTokenDraft, 'mode'>>

/**
 * Changes the name, the rights or the expiry of a token. Mails about more rights or time. Throws
 * `user.privilege_escalation` if the token has or would have more rights than the actor, and `resource.changed`.
 */
export async function updateApiToken(
  tx: StoreTx,
  actorId: string,
  id: string,
  { name, rights, expiresAt }: ApiTokenChange,
  { ifMatch, device }: { ifMatch: string | undefined; device: Device },
): Promise<ApiToken> {
  const actor = await lockActor(tx, actorId, 'users:write')
  const token = await lockApiToken(tx, id)
  assertUnchanged(token, ifMatch)
  assertHoldsRights(actor, knownRights(token.rights), rights ?? [])
  assertFutureExpiry(expiresAt)
  const change = { name, rights, expiresAt, updatedAt: nextUpdatedAt(token) }
  const changed = await ApiToken.in(tx).patchAndFetchById(id, change)
  if (isExtended(token, changed)) await mailTokenGrant(tx, changed, actor.member, { isNew: false, device })
  return changed
}

/** Whether a token has a right that it did not have, or works longer. */
const isExtended = (before: ApiToken, after: ApiToken): boolean =>
  after.rights.some((right) => !before.rights.includes(right)) || endOf(after) > endOf(before)

const endOf = ({ expiresAt }: ApiToken): number => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
