import { inStore } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { mailDomainChange } from '#shared/staff/ownership/mail-settings-change.ts'
import type { DomainFailure, StoreDomain } from '#shared/stores/domains/store-domain.ts'
import { findRunningVerification, settleVerification } from '#shared/stores/domains/verification.ts'
import { verifyDomain as job } from '#shared/stores/jobs.ts'
import { createDnsGateway } from '#workers/gateways/dns.ts'
import { handle } from '#workers/platform/handle.ts'

/** Verifies a domain by its DNS record. An unavailable name server is a result too, and the client can retry. */
export const verifyDomain = handle(job, async ({ storeId, domainId }) => {
  const domain = await inStore(storeId, (tx) => findRunningVerification(tx, domainId))
  if (!domain) return
  const failure = await checkDns(domain)
  const report = mailDomainChange({ type: 'verification', claimedBy: domain.createdBy })
  await inStore(storeId, (tx) => settleVerification(tx, domain, failure, report))
})

async function checkDns(domain: StoreDomain): Promise<DomainFailure | null> {
  try {
    return domain.checkRecords(await createDnsGateway().texts(domain.record.name))
  } catch (error) {
    log.warn({ err: error, domain: domain.domain }, 'DNS did not answer')
    return 'dns_unavailable'
  }
}
