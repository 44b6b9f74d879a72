import { StoreModel } from '#shared/platform/db/model.ts'

/** Why a domain was not verified: what DNS said, or that it belongs to another store. */
export type DomainFailure = 'record_missing' | 'record_wrong' | 'dns_unavailable' | 'taken'

const PROOF_LABEL = '_commerce-verification'
const PROOF_PREFIX = 'commerce-verification='

/** A domain that a store claims. It leads to the store once it is verified. */
export class StoreDomain extends StoreModel {
  static override tableName = 'store_domains'

  declare domain: string
  /** Known to the store alone until it publishes it in DNS. */
  declare proof: string
  /** When the check under way was asked for. */
  declare checkingSince: Date | null
  declare checkedAt: Date | null
  declare failure: DomainFailure | null
  declare verifiedAt: Date | null
  declare createdAt: Date

  get status(): 'verified' | 'checking' | 'failed' | 'pending' {
    if (this.verifiedAt) return 'verified'
    if (this.checkingSince) return 'checking'
    return this.failure ? 'failed' : 'pending'
  }

  /** The TXT record that proves the domain to be the store's. */
  get record(): { name: string; value: string } {
    return { name: `${PROOF_LABEL}.${this.domain}`, value: PROOF_PREFIX + this.proof }
  }

  /** What the records found at that name say: null when the proof is among them. */
  faultOf(found: readonly string[]): DomainFailure | null {
    if (found.includes(this.record.value)) return null
    return found.some((text) => text.startsWith(PROOF_PREFIX)) ? 'record_wrong' : 'record_missing'
  }
}
