import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { type ReportDomain, reportDomainChange } from './report-domain-change.ts'
import { StoreDomain } from './store-domain.ts'

/** Removes a claimed or verified domain. The next request to it finds no store. Throws `resource.not_found`. */
export async function deleteStoreDomain(tx: StoreTx, id: string, report: ReportDomain): Promise<void> {
  const removed = await reportDomainChange(tx, report, async () => StoreDomain.in(tx).deleteById(id))
  if (!removed) throw CommonErrors.notFound()
  // A request may wait for its verification.
  await notifySettled(tx, id)
}
