import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { verifyDomain } from './jobs.ts'
import { StoreDomain } from './store-domain.ts'

/** Has a worker look for a claimed domain's proof; one that is verified stays so. Returns the domain as it is then. */
export async function requestVerification(tx: StoreTx, id: string): Promise<StoreDomain> {
  const claim = await StoreDomain.in(tx).findById(id).forNoKeyUpdate()
  if (!claim) throw CommonErrors.notFound()
  if (claim.verifiedAt) return claim
  await enqueue(tx, verifyDomain, { domainId: id })
  return StoreDomain.in(tx).patchAndFetchById(id, { checkingSince: now(), failure: null })
}
