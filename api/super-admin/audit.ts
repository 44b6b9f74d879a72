import { Type } from 'typebox'
import { auditEntryExample } from '#api/audit/examples.ts'
import { superAdmin } from '#api/platform/auth/access.ts'
import { invalidQuery } from '#api/platform/input/request-part.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { readPlatformLog, readStoreLog } from '#shared/audit/read-log.ts'
import { AuditEntryView, viewAuditEntry } from '#shared/audit/view.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { PlatformAuditQuery } from './schemas.ts'

export const listPlatformAuditLog = endpoint({
  method: 'get',
  path: '/super-admin/audit-log',
  access: superAdmin,
  summary: 'Read what super-admins did across the stores, or the log of one store',
  query: PlatformAuditQuery,
  paginated: true,
  returns: [200, Type.Array(AuditEntryView)],
  example: { data: [auditEntryExample] },
  async handle({ query: { log, ...query } }) {
    const { store_id } = query
    if (log === 'store' && !store_id) throw invalidQuery('store_id', 'Name the store whose log to read', null)
    const found =
      log === 'store' && store_id
        ? await inStore(store_id, (tx) => readStoreLog(tx, query))
        : await readPlatformLog(query)
    return page(found, query, viewAuditEntry)
  },
})
