import { type Static, Type } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import type { RemoteConnection } from './connection.ts'

/** A page of the external catalog with its filters. */
export const PageRequest = Shape({
  page: Type.Integer(),
  page_size: Type.Integer(),
  q: Type.Optional(Type.String()),
  category_id: Type.Optional(Type.String()),
  is_active: Type.Optional(Type.Boolean()),
  updated_since: Type.Optional(Type.String()),
})
export type PageRequest = Static<typeof PageRequest>

const ItemRequest = Shape({ item_id: Type.String() })

/** A request to the external system. */
export const RemoteRequest = Type.Union([PageRequest, ItemRequest])
export type RemoteRequest = Static<typeof RemoteRequest>

/** Returns the hash of a request. Equal requests with the same connection settings have the same hash. */
export function hashRequest(request: RemoteRequest, { updatedAt }: RemoteConnection): Buffer {
  const sorted = Object.entries(request).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return sha256(JSON.stringify([updatedAt, sorted]))
}
