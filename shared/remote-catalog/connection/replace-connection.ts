import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import type { CheckedUrl } from '#shared/platform/net/public-url.ts'
import { now } from '#shared/platform/time/clock.ts'
import { isSameOrigin, RemoteConnection, sealApiKey } from '#shared/remote-catalog/connection.ts'
import { RemoteErrors } from '#shared/remote-catalog/errors.ts'

/** A rate and a burst that every external system supports. */
export const CONNECTION_DEFAULTS = {
  requestsPerSecond: 2,
  burst: 1,
  sharedWithTill: false,
  tillReservePercent: 50,
}

export interface ConnectionSettings extends Partial<typeof CONNECTION_DEFAULTS> {
  /** Null disconnects the store. */
  baseUrl: CheckedUrl | null
  /** Default: the saved key, if the host is the same. */
  apiKey?: string
}

/**
 * Replaces the store's connection settings. Links to items are kept. Another host makes the actor the creator. Throws
 * `remote.api_key_required`, and `resource.changed` if `ifMatch` is outdated.
 */
export async function replaceConnection(
  tx: StoreTx,
  actorId: string | null,
  { baseUrl, apiKey, ...settings }: ConnectionSettings,
  ifMatch?: string,
): Promise<RemoteConnection | undefined> {
  // Use FOR UPDATE, because the row may be deleted.
  const saved = await RemoteConnection.in(tx).first().forUpdate()
  assertUnchanged(saved ?? NEVER_SAVED, ifMatch)
  if (baseUrl === null) {
    await RemoteConnection.in(tx).delete()
    return undefined
  }
  const sameHost = saved && isSameOrigin(saved.baseUrl, baseUrl) ? saved : undefined
  return RemoteConnection.in(tx)
    .insert({
      ...CONNECTION_DEFAULTS,
      ...settings,
      baseUrl,
      apiKeySealed: apiKey ? sealApiKey(apiKey, tx.storeId, baseUrl) : savedKey(sameHost),
      createdBy: sameHost ? sameHost.createdBy : actorId,
      createdAt: sameHost?.createdAt ?? now(),
      updatedAt: nextUpdatedAt(saved ?? NEVER_SAVED),
    })
    .onConflict('store_id')
    .merge()
    .returning('*')
}

const NEVER_SAVED = { updatedAt: new Date(0) }

function savedKey(connection: RemoteConnection | undefined): string {
  if (!connection) throw RemoteErrors.apiKeyRequired()
  return connection.apiKeySealed
}
