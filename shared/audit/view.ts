import { type Static, Type } from 'typebox'
import { toText, toTimestamp } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { ACTOR_TYPES } from './entry.ts'
import type { OpenedEntry } from './sealed-content.ts'

export const AuditEntryView = Shape({
  sequence: Type.Integer({ minimum: 1, description: 'The position in the chain, without gaps' }),
  created_at: Timestamp,
  store_id: Nullable(Uuid),
  actor: Shape({
    type: Type.Enum([...ACTOR_TYPES]),
    id: Uuid,
    email: Type.String(),
    session_id: Nullable(Uuid),
  }),
  ip: Type.String(),
  request_id: Type.String(),
  action: Type.String({ description: "The operation's `operationId`, or the name of a command" }),
  resource: Shape({ type: Type.String(), id: Type.String() }),
  before: Type.Unknown({
    description:
      'The fields that changed as they were before; null when the resource did not exist or is erased (of an erased ' +
      'gift voucher, the fields of its value stay). The whole resource when it was deleted',
  }),
  after: Type.Unknown({
    description:
      'The fields that changed as they are now; the whole resource when it was created. Secrets are masked, long ' +
      'values cut. Of a read of personal data: its reason (`super_admin`: the first within an hour, `support`, ' +
      '`export`, or `bulk`: 1,000 records within 24 hours), the number of records, and the filters',
  }),
  is_erased: Type.Boolean({ description: 'The personal data of `before` and `after` was erased for ever' }),
  hash: Type.String({ description: 'Over this entry and the hash of its predecessor' }),
})

/** Returns an entry as staff see it. */
export const viewAuditEntry = (entry: OpenedEntry): Static<typeof AuditEntryView> => ({
  sequence: Number(entry.sequence),
  created_at: toTimestamp(entry.createdAt),
  store_id: entry.storeId,
  actor: {
    type: entry.actorType,
    id: entry.actorId,
    email: toText(entry.actorEmail),
    session_id: entry.sessionId,
  },
  ip: entry.ip,
  request_id: entry.requestId,
  action: entry.action,
  resource: { type: entry.resourceType, id: toText(entry.resourceId) },
  before: entry.before,
  after: entry.after,
  is_erased: entry.isErased,
  hash: entry.hash.toString('hex'),
})
