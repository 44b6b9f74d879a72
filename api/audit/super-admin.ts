import { Type } from 'typebox'
import { superAdmin } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { AuditEntryView } from '#shared/audit/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { auditEntryExample } from './examples.ts'
import { readAuditLog } from './read-audit-log.ts'
import { PlatformAuditQuery } from './schemas.ts'

export const listPlatformAuditLog = endpoint({
  method: 'get',
  path: '/super-admin/audit-log',
  access: superAdmin,
  audit: { action: 'getSuperAdminAuditLog', resource: 'audit-log' },
  transaction: 'manual',
  summary: 'Read what super-admins did across the stores, or the log of one store',
  description:
    "The first read of a log within an hour is recorded in the platform's log, and that of a store's log in the " +
    "store's log too.",
  query: PlatformAuditQuery,
  paginated: true,
  returns: [200, Type.Array(AuditEntryView)],
  errors: [CommonErrors.notFound],
  example: { data: [auditEntryExample] },
  async handle({ query, unitOfWork }) {
    return readAuditLog(unitOfWork, query)
  },
})
