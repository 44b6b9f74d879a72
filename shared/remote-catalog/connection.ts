import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import type { ThrottleRate } from '#shared/platform/throttle/throttle.ts'
import { RemoteErrors } from './errors.ts'

/** A store's connection to an external system. A store has at most one. */
export class RemoteConnection extends StoreModel {
  static override tableName = 'remote_connections'

  /** The base URL without a trailing slash. */
  declare baseUrl: string
  declare apiKeySealed: string
  /** The external system's limit for the API key. */
  declare requestsPerSecond: number
  declare burst: number
  /** Whether the store's physical till uses the same API key. */
  declare sharedWithTill: boolean
  /** The share of the limit that is reserved for the till. */
  declare tillReservePercent: number
  /** The staff member who created it, or who gave it another host; null if nobody of the staff did. */
  declare createdBy: string | null
  declare createdAt: Date
  declare updatedAt: Date
}

export type SealedApiKey = Pick<RemoteConnection, 'storeId' | 'baseUrl' | 'apiKeySealed'>

// The encrypted key is bound to the origin of its base URL, so that a changed URL cannot send it elsewhere.
export const remoteCatalogKeys = defineSecrets(
  'API keys of external catalogs',
  {
    scope: 'store',
    table: 'remote_connections',
    columns: ['api_key_sealed'],
    contextColumns: ['base_url'],
  },
  ({ storeId, baseUrl }: Pick<RemoteConnection, 'storeId' | 'baseUrl'>) =>
    `remote_catalog ${storeId} ${new URL(baseUrl).origin}`,
)

export const sealApiKey = (apiKey: string, storeId: string, baseUrl: string): string =>
  remoteCatalogKeys.of({ storeId, baseUrl }).seal(apiKey)

export const openApiKey = (connection: SealedApiKey): string =>
  remoteCatalogKeys.of(connection).open(connection.apiKeySealed)

export const isSameOrigin = (one: string, other: string): boolean =>
  new URL(one).origin === new URL(other).origin

/**
 * Returns the service's call rate: the limit of the key less the share of the till. Stores with the same key share one
 * rate.
 */
export function rateOf(connection: RemoteConnection): ThrottleRate {
  const { requestsPerSecond, burst, sharedWithTill, tillReservePercent, baseUrl } = connection
  const share = sharedWithTill ? (100 - tillReservePercent) / 100 : 1
  return {
    subject: `remote_catalog ${new URL(baseUrl).origin} ${openApiKey(connection)}`,
    perSecond: requestsPerSecond * share,
    burst: Math.max(1, Math.floor(burst * share)),
  }
}

/** Finds the store's connection. */
export const findConnection = async (tx: StoreTx): Promise<RemoteConnection | undefined> =>
  RemoteConnection.in(tx).first()

/** Finds the store's connection. Throws `remote.not_configured`. */
export async function requireConnection(tx: StoreTx): Promise<RemoteConnection> {
  const connection = await findConnection(tx)
  if (!connection) throw RemoteErrors.notConfigured()
  return connection
}
