import { now } from '../platform/clock.ts'
import { assertUnchanged, changedAt } from '../platform/entity-tag.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { checkBaseUrl } from './check-base-url.ts'
import { isSameHost, RemoteConnection, sealApiKey } from './connection.ts'
import { RemoteErrors } from './errors.ts'

/** What holds unless told (decisions, section 9). A burst of one is what every system can bear. */
export const CONNECTION_DEFAULTS = {
  requests_per_second: 2,
  burst: 1,
  shared_with_till: false,
  till_reserve_percent: 50,
}

export interface ConnectionSettings extends Partial<typeof CONNECTION_DEFAULTS> {
  /** Null: the store is connected to nothing. */
  base_url: string | null
  /** Absent: the one there is, as long as the host stays. */
  api_key?: string
}

/**
 * Connects the store to an external system, or changes how, as a whole. Links to its items stay. Throws `remote.url_*`,
 * `remote.api_key_required`, and `resource.changed` when `ifMatch` names an earlier state.
 */
export async function saveConnection(
  tx: StoreTx,
  settings: ConnectionSettings,
  ifMatch?: string,
): Promise<RemoteConnection | undefined> {
  // DNS is asked before anything is locked.
  const baseUrl = settings.base_url === null ? null : await checkBaseUrl(settings.base_url)
  const known = await RemoteConnection.in(tx).first().forUpdate()
  assertUnchanged(known ?? NEVER, ifMatch)
  if (baseUrl === null) {
    await RemoteConnection.in(tx).delete()
    return undefined
  }
  const given = { ...CONNECTION_DEFAULTS, ...settings }
  return RemoteConnection.in(tx)
    .insert({
      baseUrl,
      apiKeySealed: settings.api_key
        ? sealApiKey(settings.api_key, tx.storeId, baseUrl)
        : keptKey(known, baseUrl),
      requestsPerSecond: given.requests_per_second,
      burst: given.burst,
      sharedWithTill: given.shared_with_till,
      tillReservePercent: given.till_reserve_percent,
      createdAt: known?.createdAt ?? now(),
      updatedAt: changedAt(known ?? NEVER),
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
