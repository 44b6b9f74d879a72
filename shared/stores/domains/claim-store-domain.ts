import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { randomToken } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { parseDomainName } from './domain-name.ts'
import { DomainErrors } from './errors.ts'
import { type ReportDomain, reportDomainChange } from './report-domain-change.ts'
import { StoreDomain, takeDomainName } from './store-domain.ts'

const PROOF_BYTES = 24

/**
 * Adds a domain to the store's list. Several stores may claim the same domain. It belongs to the store that verifies
 * it. Throws 422 for an invalid domain and `domain.already_added`.
 */
export const claimStoreDomain = (tx: StoreTx, actorId: string, text: string): Promise<StoreDomain> =>
  insertDomain(tx, { domain: parse(text), verifiedAt: null, createdBy: actorId })

/** Adds a verified domain. The operator knows that it is the store's. Throws `domain.taken` too. */
export const assignStoreDomain = (tx: StoreTx, text: string, report: ReportDomain): Promise<StoreDomain> =>
  reportDomainChange(tx, report, () => assign(tx, parse(text)))

/** Assigns several domains to a new store. */
export async function assignStoreDomains(tx: StoreTx, texts: readonly string[]): Promise<void> {
  // Each domain is locked. Sort them, so that two transactions with the same domains cannot deadlock.
  for (const domain of texts.map(parse).sort()) await assign(tx, domain)
}

async function assign(tx: StoreTx, domain: string): Promise<StoreDomain> {
  if (!(await takeDomainName(tx, domain))) throw DomainErrors.taken()
  return insertDomain(tx, { domain, verifiedAt: now(), createdBy: null })
}

function parse(text: string): string {
  const domain = parseDomainName(text)
  if (domain) return domain
  throw invalid(['domain'], 'A domain is a name such as shop.example, without scheme, port or path', text)
}

async function insertDomain(
  tx: StoreTx,
  given: Pick<StoreDomain, 'domain' | 'verifiedAt' | 'createdBy'>,
): Promise<StoreDomain> {
  const id = newId()
  await StoreDomain.in(tx)
    .insert({ ...given, id, proof: randomToken(PROOF_BYTES), createdAt: now() })
    .onConflict(['store_id', 'domain'])
    .ignore()
  const inserted = await StoreDomain.in(tx).findById(id)
  if (!inserted) throw DomainErrors.alreadyAdded()
  return inserted
}
