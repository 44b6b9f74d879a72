import { Type } from 'typebox'
import { hiddenActions } from '#api/platform/audit/hidden-actions.ts'
import { staff } from '#api/platform/auth/access.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { readStoreLog } from '#shared/audit/read-store-log.ts'
import { AuditEntryView, viewAuditEntry } from '#shared/audit/view.ts'
import { auditEntryExample } from './examples.ts'
import { AuditLogQuery } from './schemas.ts'

export const listAuditLog = endpoint({
  method: 'get',
  path: '/admin/audit-log',
  access: staff('system:read'),
  audit: { action: 'getAdminAuditLog', resource: 'audit-log' },
  summary: 'List the audit log of the store, newest first',
  description:
    'An entry records each change over the admin API with its actor and the resource before and after, and each ' +
    'change that staff make to their own address, password, second factor, sessions and profile, but no sign-in or ' +
    'sign-out. The entries form a hash chain, which exposes a changed or removed entry. Entries of areas that the ' +
    'caller may not read are left out; those of staff and their accounts belong to `users`.',
  query: AuditLogQuery,
  paginated: true,
  returns: [200, Type.Array(AuditEntryView)],
  example: { data: [auditEntryExample] },
  async handle({ tx, staff, query }) {
    const filter = { ...query, hiddenActions: hiddenActions(staff) }
    return page(await readStoreLog(tx, filter), query, viewAuditEntry)
  },
})
