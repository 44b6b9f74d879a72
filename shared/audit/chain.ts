import type { Knex } from 'knex'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { canonical } from './canonical.ts'
import type { AuditEntry } from './entry.ts'

/**
 * A hash chain of audit entries. Each entry contains the hash of its predecessor, so it confirms all entries before it.
 * Each entry and the chain's end have a proof: an HMAC with one of ENCRYPTION_KEYS. An attacker with access to the
 * database alone can compute the hashes of forged entries but not their proofs, so the next proof exposes the forgery.
 *
 * Hashes need no key, so an old key can be removed. Any later proof confirms the entries that the old key proved, and
 * `renewProof` proves the end of an inactive chain with the newest key. Proofs of a removed key confirm nothing, so a
 * thief cannot use it.
 */
export interface Chain {
  knex: Knex
  /** The store's id, or `platform`. */
  name: string
  entries: string
  heads: string
  /** The columns that identify the chain's rows. */
  own: Record<string, string>
}

/** Returns the chain of the transaction's store. */
export const storeChain = (tx: StoreTx): Chain => ({
  knex: tx.knex,
  name: tx.storeId,
  entries: 'audit_entries',
  heads: 'audit_heads',
  own: { store_id: tx.storeId },
})

/** Returns the platform's chain: the actions of super-admins, in all stores. */
export const platformChain = (knex: Knex): Chain => ({
  knex,
  name: 'platform',
  entries: 'platform_audit_entries',
  heads: 'platform_audit_heads',
  own: {},
})

export const FIRST_HASH = Buffer.alloc(32)

/** Returns the hash of an entry over everything but its proof, including its predecessor's hash. */
export function hashEntry(chain: string, entry: Omit<AuditEntry, 'hash' | 'keyId' | 'proof'>): Buffer {
  const { sequence, createdAt, previousHash, ...rest } = entry
  return sha256(
    canonical({
      ...rest,
      chain,
      sequence: String(sequence),
      createdAt: createdAt.toISOString(),
      previousHash: previousHash.toString('hex'),
    }),
  )
}
