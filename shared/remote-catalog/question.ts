import { type Static, Type } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import type { RemoteConnection } from './connection.ts'

/** A page of the external catalog, and what it is narrowed to. */
export const PageQuestion = Shape({
  page: Type.Integer(),
  page_size: Type.Integer(),
  q: Type.Optional(Type.String()),
  category_id: Type.Optional(Type.String()),
  is_active: Type.Optional(Type.Boolean()),
  updated_since: Type.Optional(Type.String()),
})
export type PageQuestion = Static<typeof PageQuestion>

/** One item of it. */
const ItemQuestion = Shape({ item_id: Type.String() })

/** What the external system is asked for. */
export const RemoteQuestion = Type.Union([PageQuestion, ItemQuestion])
export type RemoteQuestion = Static<typeof RemoteQuestion>

/** Two questions are the same when the same is asked of the same system under the same settings. */
export function hashQuestion(question: RemoteQuestion, { updatedAt }: RemoteConnection): Buffer {
  const sorted = Object.entries(question).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return sha256(JSON.stringify([updatedAt, sorted]))
}
