import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { ACTOR_TYPES } from '#shared/audit/entry.ts'
import { AUDIT_ENTRIES } from '#shared/audit/list-entries.ts'
import { Uuid } from '#shared/platform/http/schema.ts'

export const auditFilters = {
  actor_id: Type.Optional(Uuid),
  actor_type: Type.Optional(Type.Enum([...ACTOR_TYPES])),
  action: Type.Optional(Type.String({ maxLength: 200, description: "An operation's `operationId`" })),
  resource_type: Type.Optional(
    Type.String({ maxLength: 200, description: "The resource's name in the path, e.g. `webhooks`" }),
  ),
  resource_id: Type.Optional(Type.String({ maxLength: 200 })),
}

export const AuditLogQuery = listQuery(AUDIT_ENTRIES, auditFilters)

export const PlatformAuditQuery = listQuery(AUDIT_ENTRIES, {
  ...auditFilters,
  store_id: Type.Optional(Uuid),
  log: Type.Enum(['platform', 'store'], {
    default: 'platform',
    description: 'platform: actions of super-admins. store: the log of that store',
  }),
})
