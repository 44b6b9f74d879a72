import type { Static } from 'typebox'
import { inQuery } from '#api/platform/input/request-part.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { page, type Reply } from '#api/platform/output/reply.ts'
import { readPlatformLog, readStoreLog } from '#shared/audit/read-store-log.ts'
import { viewAuditEntry } from '#shared/audit/view.ts'
import { findAuditedStore } from '#shared/super-admin/find-audited-store.ts'
import type { PlatformAuditQuery } from './schemas.ts'

/**
 * Returns one page of the platform's log or of a store's, newest first. The unit of work makes the page, because it
 * records the read with the number of entries. Throws 422 without the store of a store's log, and `resource.not_found`
 * for an unknown store.
 */
export async function readAuditLog(
  unitOfWork: UnitOfWork,
  { log, ...query }: Static<typeof PlatformAuditQuery>,
): Promise<Reply> {
  if (log === 'platform') {
    // Read the log before the transaction, because it uses separate connections.
    const found = await readPlatformLog(query)
    return unitOfWork.inPlatform(async () => page(found, query, viewAuditEntry))
  }
  const storeId = await inQuery(() => findAuditedStore(query.store_id))
  return unitOfWork.inStore(storeId, async (tx) => page(await readStoreLog(tx, query), query, viewAuditEntry))
}
