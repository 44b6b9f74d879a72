import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { ACTOR_TYPES } from '#shared/audit/entry.ts'
import { AUDIT_ENTRIES } from '#shared/audit/list-entries.ts'
import { Uuid } from '#shared/platform/http/schema.ts'

export const auditFilters = {
  actor_id: Type.Optional(Uuid),
  actor_type: Type.Optional(Type.Enum([...ACTOR_TYPES])),
  action: Type.Optional(Type.String({ maxLength: 200, description: "An operation's `operationId`" })),
  resource_type: Type.Optional(Type.String({ maxLength: 200, description: 'As in the path: `webhooks`' })),
  resource_id: Type.Optional(Type.String({ maxLength: 200 })),
}

export const AuditLogQuery = listQuery(AUDIT_ENTRIES, auditFilters)
