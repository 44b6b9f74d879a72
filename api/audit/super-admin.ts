import { Type } from 'typebox'
import { superAdmin } from '#api/platform/auth/access.ts'
import { inQuery } from '#api/platform/input/request-part.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { readPlatformLog, readStoreLog } from '#shared/audit/read-store-log.ts'
import { AuditEntryView, viewAuditEntry } from '#shared/audit/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { findAuditedStore } from '#shared/super-admin/find-audited-store.ts'
import { auditEntryExample } from './examples.ts'
import { PlatformAuditQuery } from './schemas.ts'

export const listPlatformAuditLog = endpoint({
  method: 'get',
  path: '/super-admin/audit-log',
  access: superAdmin,
  audit: { action: 'getSuperAdminAuditLog', resource: 'audit-log' },
  transaction: 'manual',
  summary: 'Read what super-admins did across the stores, or the log of one store',
  description:
    "The first read of a log within an hour is an entry itself: in the platform's log, and in the store's when it is " +
    "that store's log.",
  query: PlatformAuditQuery,
  paginated: true,
  returns: [200, Type.Array(AuditEntryView)],
  errors: [CommonErrors.notFound],
  example: { data: [auditEntryExample] },
  async handle({ query: { log, ...query }, unitOfWork }) {
    if (log === 'platform') {
      // Read the log before the transaction, because it uses separate connections.
      const found = await readPlatformLog(query)
      return unitOfWork.inPlatform(async () => page(found, query, viewAuditEntry))
    }
    const storeId = await inQuery(() => findAuditedStore(query.store_id))
    return unitOfWork.inStore(storeId, async (tx) =>
      page(await readStoreLog(tx, query), query, viewAuditEntry),
    )
  },
})
