import { now } from '../platform/clock.ts'
import { enqueue } from '../platform/enqueue.ts'
import { CommonErrors } from '../platform/errors.ts'
import type { StoreTx } from '../platform/store-scope.ts'
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
