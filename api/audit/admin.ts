import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { storeChain } from '#shared/audit/chain.ts'
import { listEntries } from '#shared/audit/list-entries.ts'
import { AuditEntryView, viewAuditEntry } from '#shared/audit/view.ts'
import { auditEntryExample } from './examples.ts'
import { AuditLogQuery } from './schemas.ts'

export const listAuditLog = endpoint({
  method: 'get',
  path: '/admin/audit-log',
  access: staff('system:read'),
  summary: 'Read who changed what in the store, the latest first',
  description:
    'Every change made over the admin API stands here with its actor and with the resource before and after it, and so ' +
    'does what staff change of their own sign-in: address, password, second factor, sessions, profile. Signing in and out does ' +
    'not. The entries form a chain of hashes, so one that was changed or taken out shows.',
  query: AuditLogQuery,
  paginated: true,
  returns: [200, Type.Array(AuditEntryView)],
  example: { data: [auditEntryExample] },
  async handle({ tx, query }) {
    return page(await listEntries(storeChain(tx), query), query, viewAuditEntry)
  },
})
