import { type Static, Type } from 'typebox'
import { toText, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CreatedBy, Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'
import type { RemoteConnection } from '#shared/remote-catalog/connection.ts'
import { CONNECTION_DEFAULTS } from './replace-connection.ts'

export const RemoteSettingsView = Shape({
  base_url: Type.String({ description: 'Empty: the store is not connected' }),
  has_api_key: Type.Boolean({ description: 'The key itself is never shown' }),
  requests_per_second: Type.Number(),
  burst: Type.Integer(),
  shared_with_till: Type.Boolean(),
  till_reserve_percent: Type.Integer(),
  created_by: {
    ...CreatedBy,
    description:
      'The staff member who created it, or who gave it another host; null if a super-admin or the service did',
  },
  updated_at: Nullable(Timestamp),
})

/** Returns a store's connection, or the defaults of a new one. */
export function viewConnection(connection: RemoteConnection | undefined): Static<typeof RemoteSettingsView> {
  const { requestsPerSecond, burst, sharedWithTill, tillReservePercent } = connection ?? CONNECTION_DEFAULTS
  return {
    base_url: toText(connection?.baseUrl),
    has_api_key: connection !== undefined,
    requests_per_second: requestsPerSecond,
    burst,
    shared_with_till: sharedWithTill,
    till_reserve_percent: tillReservePercent,
    created_by: connection?.createdBy ?? null,
    updated_at: toTimestampOrNull(connection?.updatedAt ?? null),
  }
}
