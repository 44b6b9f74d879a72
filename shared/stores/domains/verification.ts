import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { assertRoomInQueue } from '#shared/platform/jobs/assert-room-in-queue.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { notifySettled, waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { now } from '#shared/platform/time/clock.ts'
import { verifyDomain } from '#shared/stores/jobs.ts'
import { type ReportDomain, reportDomainChange } from './report-domain-change.ts'
import { type DomainFailure, findStoreDomain, StoreDomain, takeDomainName } from './store-domain.ts'

/** The most verifications of a store that wait for a worker. A silent name server takes seconds for each. */
export const MAX_WAITING_VERIFICATIONS = 20

/**
 * Queues the verification of a claimed domain. A verified domain stays as it is. Throws `resource.not_found`, and 429
 * while too many verifications of the store wait.
 */
export async function requestVerification(tx: StoreTx, id: string): Promise<StoreDomain> {
  const domain = assertFound(await StoreDomain.in(tx).findById(id).forNoKeyUpdate())
  if (domain.verifiedAt) return domain
  await assertRoomInQueue(tx, verifyDomain, MAX_WAITING_VERIFICATIONS)
  await enqueue(tx, verifyDomain, { domainId: id })
  return StoreDomain.in(tx).patchAndFetchById(id, { checkingSince: now(), failure: null })
}

/** Waits up to `timeoutMs` for a verification and returns the domain. Call it outside a transaction. */
export const awaitVerification = (storeId: string, id: string, timeoutMs: number): Promise<StoreDomain> =>
  waitUntilSettled(
    id,
    timeoutMs,
    () => inStore(storeId, (tx) => findStoreDomain(tx, id)),
    ({ status }) => status !== 'checking',
  )

/** Finds a domain whose verification is in progress; undefined if there is nothing to verify. */
export const findRunningVerification = (tx: StoreTx, id: string) =>
  StoreDomain.in(tx).findById(id).whereNotNull('checking_since')

/**
 * Ends a verification. Without `dnsFailure` the domain is verified, unless another store has verified it. After a
 * failure the claim stays and can be verified again.
 */
export const settleVerification = (
  tx: StoreTx,
  claim: StoreDomain,
  dnsFailure: DomainFailure | null,
  report: ReportDomain,
): Promise<void> => reportDomainChange(tx, report, () => saveResult(tx, claim, dnsFailure))

async function saveResult(
  tx: StoreTx,
  { id, domain }: StoreDomain,
  dnsFailure: DomainFailure | null,
): Promise<void> {
  // The store may have removed the domain since. Then its name must not be taken from a deleted store.
  if (!(await findRunningVerification(tx, id).forNoKeyUpdate())) return
  const failure = dnsFailure ?? ((await takeDomainName(tx, domain)) ? null : 'taken')
  await StoreDomain.in(tx)
    .findById(id)
    .patch({ failure, checkingSince: null, checkedAt: now(), ...(failure ? {} : { verifiedAt: now() }) })
  await notifySettled(tx, id)
}
