import { StoreModel } from '#shared/platform/db/model.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import type { ThrottleRate } from '#shared/platform/throttle/throttle.ts'

/** The external system whose catalog a store browses; a store has one at most. */
export class RemoteConnection extends StoreModel {
  static override tableName = 'remote_connections'

  /** Without a slash at its end. */
  declare baseUrl: string
  declare apiKeySealed: string
  /** What the external system allows the API key, whoever uses it. */
  declare requestsPerSecond: number
  declare burst: number
  /** The physical till uses the same key, and this much of what it allows is left to it. */
  declare sharedWithTill: boolean
  declare tillReservePercent: number
  declare createdAt: Date
  declare updatedAt: Date
}

export type Keyed = Pick<RemoteConnection, 'storeId' | 'baseUrl' | 'apiKeySealed'>

// The key opens for the host alone that it was given for: to point the address elsewhere does not carry it there.
export const apiKeys = defineSecrets(
  'API keys of external catalogs',
  { scope: 'store', table: 'remote_connections', columns: ['api_key_sealed'] },
  ({ storeId, baseUrl }: Pick<RemoteConnection, 'storeId' | 'baseUrl'>) =>
    `remote_catalog ${storeId} ${new URL(baseUrl).origin}`,
)

export const sealApiKey = (apiKey: string, storeId: string, baseUrl: string): string =>
  apiKeys.of({ storeId, baseUrl }).seal(apiKey)

export const openApiKey = (connection: Keyed): string => apiKeys.of(connection).open(connection.apiKeySealed)

export const isSameHost = (one: string, other: string): boolean =>
  new URL(one).origin === new URL(other).origin

/** How fast the service may ask: the key's limit, less what is left to the till. Stores with one key share one pace. */
export function paceOf(connection: RemoteConnection): ThrottleRate {
  const { requestsPerSecond, burst, sharedWithTill, tillReservePercent, baseUrl } = connection
  const share = sharedWithTill ? (100 - tillReservePercent) / 100 : 1
  return {
    subject: `remote_catalog ${new URL(baseUrl).origin} ${openApiKey(connection)}`,
    perSecond: requestsPerSecond * share,
    burst: Math.max(1, Math.floor(burst * share)),
  }
}
