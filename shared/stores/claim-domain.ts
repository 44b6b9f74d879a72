import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { randomToken } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { readDomainName } from './domain-name.ts'
import { DomainErrors } from './errors.ts'
import { freeDomain } from './free-domain.ts'
import { StoreDomain } from './store-domain.ts'

const PROOF_BYTES = 24

/**
 * Notes that the store claims a domain. Any store may, for a claim opens nothing and holds nobody up: the domain is its
 * own once it is verified. Throws 422 for what is no domain, `domain.already_added` for one on the store's list.
 */
export const claimDomain = (tx: StoreTx, text: string): Promise<StoreDomain> =>
  insertDomain(tx, read(text), null)

/** Gives the store a domain that the operator knows to be its own. Throws `domain.taken` besides. */
export const giveDomain = (tx: StoreTx, text: string): Promise<StoreDomain> => give(tx, read(text))

/** The same of several. */
export async function giveDomains(tx: StoreTx, texts: readonly string[]): Promise<void> {
  // Each is locked: in one order, whatever the caller's, or two stores given the same could wait for each other.
  for (const domain of texts.map(read).sort()) await give(tx, domain)
}

async function give(tx: StoreTx, domain: string): Promise<StoreDomain> {
  if (!(await freeDomain(tx, domain))) throw DomainErrors.taken()
  return insertDomain(tx, domain, now())
}

function read(text: string): string {
  const domain = readDomainName(text)
  if (domain) return domain
  throw invalid(['domain'], 'A domain is a name such as shop.example, without scheme, port or path', text)
}

async function insertDomain(tx: StoreTx, domain: string, verifiedAt: Date | null): Promise<StoreDomain> {
  const id = newId()
  await StoreDomain.in(tx)
    .insert({ id, domain, proof: randomToken(PROOF_BYTES), verifiedAt, createdAt: now() })
    .onConflict(['store_id', 'domain'])
    .ignore()
  const inserted = await StoreDomain.in(tx).findById(id)
  if (!inserted) throw DomainErrors.alreadyAdded()
  return inserted
}
