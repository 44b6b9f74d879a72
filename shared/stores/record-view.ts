import { type Static, Type } from 'typebox'
import {
  Nullable,
  Shape,
  Timestamp,
  toTimestamp,
  toTimestampOrNull,
  Uuid,
} from '#shared/platform/http/schema.ts'
import type { StoreRecord } from './store-record.ts'

export const storeRecordProperties = {
  id: Uuid,
  slug: Type.String(),
  name: Type.String(),
  email: Type.String(),
  status: Type.Enum(['active', 'suspended', 'deleted']),
  currency: Type.String({ description: 'ISO 4217' }),
  languages: Type.Array(Type.String()),
  default_language: Type.String({ description: 'BCP 47' }),
  country: Nullable(Type.String({ description: 'ISO 3166-1 alpha-2' })),
  time_zone: Type.String({ description: 'IANA name' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Timestamp),
  purge_requested_at: Nullable(Timestamp),
}

export const StoreRecordView = Shape(storeRecordProperties)

/** A store as a super-admin sees it. */
export const viewStoreRecord = (store: StoreRecord): Static<typeof StoreRecordView> => ({
  id: store.id,
  slug: store.slug,
  name: store.name,
  email: store.email,
  status: store.status,
  currency: store.currency,
  languages: store.languages,
  default_language: store.defaultLanguage,
  country: store.country,
  time_zone: store.timeZone,
  created_at: toTimestamp(store.createdAt),
  updated_at: toTimestamp(store.updatedAt),
  deleted_at: toTimestampOrNull(store.deletedAt),
  purge_requested_at: toTimestampOrNull(store.purgeRequestedAt),
})
