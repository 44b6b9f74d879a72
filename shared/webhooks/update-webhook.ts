import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import type { RightsHolder } from '#shared/staff/rights.ts'
import type { NewWebhook } from './create-webhook.ts'
import { checkPatterns } from './patterns.ts'
import { assertMayReceive } from './readable-events.ts'
import { lockWebhook, Webhook } from './webhook.ts'

/**
 * Changes a webhook. A new URL, or enabling it, resets its failures, but a slow webhook stays slow until an attempt is
 * fast. Another URL makes the actor the creator, because one host can receive for many people. Throws `auth.forbidden`
 * if `by` chooses a URL or patterns for events that `by` may not read.
 */
export async function updateWebhook(
  tx: StoreTx,
  id: string,
  change: Partial<NewWebhook>,
  { ifMatch, actorId, by }: { ifMatch: string | undefined; actorId: string; by: RightsHolder },
): Promise<Webhook> {
  const { url, events, description, isActive } = change
  const webhook = await lockWebhook(tx, id)
  assertUnchanged(webhook, ifMatch)
  if (url !== undefined || events !== undefined || isActive) assertMayReceive(by, events ?? webhook.events)
  const isReset = isActive || (url !== undefined && url !== webhook.url)
  return Webhook.in(tx).patchAndFetchById(id, {
    ...(url === undefined ? {} : { url }),
    ...(url === undefined || url === webhook.url ? {} : { createdBy: actorId }),
    ...(events === undefined ? {} : { events: checkPatterns(events) }),
    ...(description === undefined ? {} : { description }),
    ...(isActive === undefined ? {} : { isActive }),
    ...(isReset ? { failingSince: null } : {}),
    ...(isActive ? { disabledReason: null } : {}),
    updatedAt: nextUpdatedAt(webhook),
  })
}
