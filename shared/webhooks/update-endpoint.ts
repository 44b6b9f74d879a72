import { assertUnchanged, changedAt } from '../platform/entity-tag.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { checkPublicUrl } from './check-public-url.ts'
import type { NewEndpoint } from './create-endpoint.ts'
import { WebhookEndpoint } from './endpoint.ts'
import { lockEndpoint } from './find-endpoint.ts'
import { checkPatterns } from './patterns.ts'

/** Changes an endpoint. Another URL, or switching it on, forgets that it failed. */
export async function updateEndpoint(
  tx: StoreTx,
  id: string,
  change: Partial<NewEndpoint>,
  ifMatch: string | undefined,
): Promise<WebhookEndpoint> {
  const { url, events, description, isActive } = change
  const checkedUrl = url === undefined ? undefined : await checkPublicUrl(url)
  const endpoint = await lockEndpoint(tx, id)
  assertUnchanged(endpoint, ifMatch)
  const isFresh = isActive || (checkedUrl !== undefined && checkedUrl !== endpoint.url)
  return WebhookEndpoint.in(tx).patchAndFetchById(id, {
    ...(checkedUrl === undefined ? {} : { url: checkedUrl }),
    ...(events === undefined ? {} : { events: checkPatterns(events) }),
    ...(description === undefined ? {} : { description }),
    ...(isActive === undefined ? {} : { isActive }),
    ...(isFresh ? { failingSince: null, isSlow: false } : {}),
    ...(isActive ? { disabledReason: null } : {}),
    updatedAt: changedAt(endpoint),
  })
}
