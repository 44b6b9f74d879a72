import { Type } from 'typebox'
import { ACTOR_TYPES } from '#shared/audit/entry.ts'
import { CreatedQuery, PageQuery, Shape, Uuid } from '#shared/platform/http/schema.ts'

export const auditFilters = {
  ...PageQuery,
  actor_id: Type.Optional(Uuid),
  actor_type: Type.Optional(Type.Enum([...ACTOR_TYPES])),
  action: Type.Optional(Type.String({ maxLength: 200, description: "An operation's `operationId`" })),
  resource_type: Type.Optional(Type.String({ maxLength: 200, description: 'As in the path: `webhooks`' })),
  resource_id: Type.Optional(Type.String({ maxLength: 200 })),
  ...CreatedQuery,
}

export const AuditLogQuery = Shape(auditFilters)
