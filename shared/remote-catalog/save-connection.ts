import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import type { CheckedUrl } from '#shared/platform/net/public-url.ts'
import { now } from '#shared/platform/time/clock.ts'
import { isSameHost, RemoteConnection, sealApiKey } from './connection.ts'
import { RemoteErrors } from './errors.ts'

/** What holds unless told (decisions, section 9). A burst of one is what every system can bear. */
export const CONNECTION_DEFAULTS = {
  requestsPerSecond: 2,
  burst: 1,
  sharedWithTill: false,
  tillReservePercent: 50,
}

export interface ConnectionSettings extends Partial<typeof CONNECTION_DEFAULTS> {
  /** Null: the store is connected to nothing. */
  baseUrl: CheckedUrl | null
  /** Absent: the one there is, as long as the host stays. */
  apiKey?: string
}

/**
 * Connects the store to an external system, or changes how, as a whole. Links to its items stay. Throws
 * `remote.api_key_required`, and `resource.changed` when `ifMatch` names an earlier state.
 */
export async function saveConnection(
  tx: StoreTx,
  { baseUrl, apiKey, ...pace }: ConnectionSettings,
  ifMatch?: string,
): Promise<RemoteConnection | undefined> {
  // In full, for it may be deleted.
  const known = await RemoteConnection.in(tx).first().forUpdate()
  assertUnchanged(known ?? NEVER, ifMatch)
  if (baseUrl === null) {
    await RemoteConnection.in(tx).delete()
    return undefined
  }
  return RemoteConnection.in(tx)
    .insert({
      ...CONNECTION_DEFAULTS,
      ...pace,
      baseUrl,
      apiKeySealed: apiKey ? sealApiKey(apiKey, tx.storeId, baseUrl) : keptKey(known, baseUrl),
      createdAt: known?.createdAt ?? now(),
      updatedAt: nextUpdatedAt(known ?? NEVER),
    })
    .onConflict('store_id')
    .merge()
    .returning('*')
}

const NEVER = { updatedAt: new Date(0) }

function keptKey(known: RemoteConnection | undefined, baseUrl: string): string {
  if (!known || !isSameHost(known.baseUrl, baseUrl)) throw RemoteErrors.apiKeyRequired()
  return known.apiKeySealed
}
