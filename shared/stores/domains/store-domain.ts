import { lockName } from '#shared/platform/db/lock-name.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'

/** Why a verification failed. `taken`: another store has verified the domain. */
export const DOMAIN_FAILURES = ['record_missing', 'record_wrong', 'dns_unavailable', 'taken'] as const
export type DomainFailure = (typeof DOMAIN_FAILURES)[number]

export const DOMAIN_STATUSES = ['pending', 'checking', 'failed', 'verified'] as const
export type DomainStatus = (typeof DOMAIN_STATUSES)[number]

const PROOF_LABEL = '_commerce-verification'
const PROOF_PREFIX = 'commerce-verification='

/** A domain that a store claims. Once verified, requests to it find the store. */
export class StoreDomain extends StoreModel {
  static override tableName = 'store_domains'

  declare domain: string
  /** Secret until the store publishes it in DNS. */
  declare proof: string
  /** The time at which the running verification was requested. */
  declare checkingSince: Date | null
  declare checkedAt: Date | null
  declare failure: DomainFailure | null
  declare verifiedAt: Date | null
  /** The staff member who created it; null if a super-admin or the service did. */
  declare createdBy: string | null
  declare createdAt: Date

  get status(): DomainStatus {
    if (this.verifiedAt) return 'verified'
    if (this.checkingSince) return 'checking'
    return this.failure ? 'failed' : 'pending'
  }

  /** The TXT record that proves ownership. */
  get record(): { name: string; value: string } {
    return { name: `${PROOF_LABEL}.${this.domain}`, value: PROOF_PREFIX + this.proof }
  }

  /**
   * Compares the TXT records in DNS with the expected one. Returns null if the proof is among them, else the failure.
   */
  checkRecords(found: readonly string[]): DomainFailure | null {
    if (found.includes(this.record.value)) return null
    return found.some((text) => text.startsWith(PROOF_PREFIX)) ? 'record_wrong' : 'record_missing'
  }
}

/** Finds a domain of the store. Throws `resource.not_found`. */
export async function findStoreDomain(tx: StoreTx, id: string): Promise<StoreDomain> {
  return assertFound(await StoreDomain.in(tx).findById(id))
}

/**
 * Returns the store's domain that was verified first, or null. Mails link to it with tokens, so a later verification
 * changes nothing, even of a domain that was claimed earlier.
 */
export async function findPrimaryDomain(tx: StoreTx): Promise<string | null> {
  const verified = StoreDomain.in(tx).whereNotNull('verified_at')
  return (await verified.orderBy(['verified_at', 'created_at', 'domain']).first())?.domain ?? null
}

/**
 * Locks a domain name until the transaction ends, and takes it from deleted stores: this changes rows of other stores,
 * which row-level security does not prevent in this table. A restored store must verify the domain again. Returns
 * whether the store can verify the name; false if another store has verified it.
 */
export async function takeDomainName(tx: StoreTx, domain: string): Promise<boolean> {
  await lockName(tx.knex, `store_domain ${domain}`)
  const others = () =>
    tx.knex('store_domains').where({ domain }).whereNot('store_id', tx.storeId).whereNotNull('verified_at')
  await others()
    .whereIn('store_id', tx.knex('stores').select('id').where('status', 'deleted'))
    .update({ verified_at: null, failure: 'taken' })
  return (await others().first('id')) === undefined
}
