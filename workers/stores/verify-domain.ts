import { inStore } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { verifyDomain as job } from '#shared/stores/jobs.ts'
import { findChecking, settleVerification } from '#shared/stores/settle-verification.ts'
import type { DomainFailure, StoreDomain } from '#shared/stores/store-domain.ts'
import { createDnsGateway } from '#workers/gateways/dns.ts'
import { handle } from '#workers/platform/handle.ts'

/** Looks for a claim's proof and settles it. A name server that does not answer is an outcome: the caller asks again. */
export const verifyDomain = handle(job, async ({ storeId, domainId }) => {
  const claim = await inStore(storeId, (tx) => findChecking(tx, domainId))
  if (!claim) return
  const fault = await look(claim)
  await inStore(storeId, (tx) => settleVerification(tx, claim, fault))
})

async function look(claim: StoreDomain): Promise<DomainFailure | null> {
  try {
    return claim.faultOf(await createDnsGateway().texts(claim.record.name))
  } catch (error) {
    log.warn({ err: error, domain: claim.domain }, 'DNS did not answer')
    return 'dns_unavailable'
  }
}
