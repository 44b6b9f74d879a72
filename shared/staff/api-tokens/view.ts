import { type Static, Type } from 'typebox'
import {
  Nullable,
  Shape,
  Timestamp,
  toTimestamp,
  toTimestampOrNull,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { RightsView } from '../role-view.ts'
import { knownRights } from '../roles.ts'
import type { ApiToken } from './api-token.ts'

const properties = {
  id: Uuid,
  name: Type.String(),
  hint: Type.String({ description: 'Its beginning and end, to tell tokens apart' }),
  mode: Type.Enum(['live', 'test']),
  rights: RightsView,
  created_by: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
  expires_at: Nullable(Timestamp),
  last_used_at: Type.Unsafe<string | null>({
    ...Nullable(Timestamp),
    description: 'At most a minute behind',
  }),
}

export const ApiTokenView = Shape(properties)
export const NewApiTokenView = Shape({
  ...properties,
  token: Type.String({ description: 'Shown this once: it is kept as a hash' }),
})

export const viewApiToken = (token: ApiToken): Static<typeof ApiTokenView> => ({
  id: token.id,
  name: token.name,
  hint: token.hint,
  mode: token.mode,
  rights: knownRights(token.rights),
  created_by: token.createdBy,
  created_at: toTimestamp(token.createdAt),
  updated_at: toTimestamp(token.updatedAt),
  expires_at: toTimestampOrNull(token.expiresAt),
  last_used_at: toTimestampOrNull(token.lastUsedAt),
})
