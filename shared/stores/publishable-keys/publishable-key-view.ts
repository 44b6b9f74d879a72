import { type Static, Type } from 'typebox'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CreatedBy, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { IssuedKey } from './issue-publishable-key.ts'
import { KEY_MODES, KEY_STATUSES, type PublishableKey } from './publishable-key.ts'

const properties = {
  id: Uuid,
  name: Type.String(),
  hint: Type.String({ description: 'The key without its secret part' }),
  mode: Type.Enum([...KEY_MODES]),
  status: Type.Enum([...KEY_STATUSES], {
    description: '`rotated`: a successor was issued; the key works until `expires_at`',
  }),
  allowed_origins: Type.Array(Type.String(), { description: 'Empty: any origin' }),
  created_by: CreatedBy,
  created_at: Timestamp,
  updated_at: Timestamp,
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
}

export const PublishableKeyView = Shape(properties)

export const IssuedKeyView = Shape({
  ...properties,
  key: Type.String({ description: 'The key itself. Only this response shows it' }),
})

/** Returns a key as staff see it. */
export const viewPublishableKey = (key: PublishableKey): Static<typeof PublishableKeyView> => ({
  id: key.id,
  name: toText(key.name),
  hint: key.hint,
  mode: key.mode,
  status: key.status,
  allowed_origins: key.allowedOrigins,
  created_by: key.createdBy,
  created_at: toTimestamp(key.createdAt),
  updated_at: toTimestamp(key.updatedAt),
  expires_at: toTimestampOrNull(key.expiresAt),
  revoked_at: toTimestampOrNull(key.revokedAt),
})

/** Returns a new key with its text. */
export const viewIssuedPublishableKey = ({ issued, key }: IssuedKey): Static<typeof IssuedKeyView> => ({
  ...viewPublishableKey(issued),
  key,
})
