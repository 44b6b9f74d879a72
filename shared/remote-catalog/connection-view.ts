import { type Static, Type } from 'typebox'
import { Nullable, Shape, Timestamp, toTimestamp } from '../platform/schema.ts'
import type { RemoteConnection } from './connection.ts'
import { CONNECTION_DEFAULTS } from './save-connection.ts'

export const RemoteSettingsView = Shape({
  base_url: Nullable(Type.String({ description: 'Null: the store is connected to nothing' })),
  has_api_key: Type.Boolean({ description: 'The key itself is never shown' }),
  requests_per_second: Type.Number(),
  burst: Type.Integer(),
  shared_with_till: Type.Boolean(),
  till_reserve_percent: Type.Integer(),
  updated_at: Nullable(Timestamp),
})

/** A store's connection; without one, what would hold for it. */
export const viewConnection = (
  connection: RemoteConnection | undefined,
): Static<typeof RemoteSettingsView> => {
  if (!connection) return { base_url: null, has_api_key: false, ...CONNECTION_DEFAULTS, updated_at: null }
  return {
    base_url: connection.baseUrl,
    has_api_key: true,
    requests_per_second: connection.requestsPerSecond,
    burst: connection.burst,
    shared_with_till: connection.sharedWithTill,
    till_reserve_percent: connection.tillReservePercent,
    updated_at: toTimestamp(connection.updatedAt),
  }
}
