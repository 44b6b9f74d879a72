import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { AUDIT_ENTRIES } from '#shared/audit/list-audit-entries.ts'
import { Uuid } from '#shared/platform/http/schema.ts'

export const AuditLogQuery = listQuery(AUDIT_ENTRIES)

export const PlatformAuditQuery = listQuery(AUDIT_ENTRIES, {
  store_id: Type.Optional(Uuid),
  log: Type.Enum(['platform', 'store'], {
    default: 'platform',
    description: '`platform`: actions of super-admins. `store`: the log of the store `store_id`',
  }),
})
