import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import type { NewEndpoint } from './create-endpoint.ts'
import { lockEndpoint, WebhookEndpoint } from './endpoint.ts'
import { checkPatterns } from './patterns.ts'

/** Changes an endpoint. A new URL, or enabling it, resets its failures. */
export async function updateEndpoint(
  tx: StoreTx,
  id: string,
  change: Partial<NewEndpoint>,
  ifMatch: string | undefined,
): Promise<WebhookEndpoint> {
  const { url, events, description, isActive } = change
  const endpoint = await lockEndpoint(tx, id)
  assertUnchanged(endpoint, ifMatch)
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
