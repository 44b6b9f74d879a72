import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import type { Holder } from '#shared/staff/roles.ts'
import type { NewEndpoint } from './create-endpoint.ts'
import { lockEndpoint, WebhookEndpoint } from './endpoint.ts'
import { checkPatterns } from './patterns.ts'
import { assertMayReceive } from './readable-events.ts'

/**
 * Changes an endpoint. A new URL, or enabling it, resets its failures. Throws `auth.forbidden` when it would send events
 * that `by` may not read to a URL, or by patterns, of their choice.
 */
export async function updateEndpoint(
  tx: StoreTx,
  id: string,
  change: Partial<NewEndpoint>,
  { ifMatch, by }: { ifMatch: string | undefined; by: Holder },
): Promise<WebhookEndpoint> {
  const { url, events, description, isActive } = change
  const endpoint = await lockEndpoint(tx, id)
  assertUnchanged(endpoint, ifMatch)
  if (url !== undefined || events !== undefined || isActive) assertMayReceive(by, events ?? endpoint.events)
  const isReset = isActive || (url !== undefined && url !== endpoint.url)
  return WebhookEndpoint.in(tx).patchAndFetchById(id, {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events: checkPatterns(events) }),
    ...(description === undefined ? {} : { description }),
    ...(isActive === undefined ? {} : { isActive }),
    ...(isReset ? { failingSince: null, isSlow: false } : {}),
    ...(isActive ? { disabledReason: null } : {}),
    updatedAt: nextUpdatedAt(endpoint),
  })
}
