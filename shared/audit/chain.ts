import type { Knex } from 'knex'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { canonical } from './canonical.ts'
import type { AuditEntry } from './entry.ts'

/**
 * A chain of entries. Each holds the hash of the one before it, and so vouches for all before it; its proof, and that of
 * the chain's end, are made with one of ENCRYPTION_KEYS. Whoever can write to the database but does not know the keys can
 * hash a forgery, and whatever follows on it, but prove none of it: the first proof behind it shows it.
 *
 * The hashes need no key, so a key may go: the entries that it proved are vouched for by any later proof, and
 * `renewProof` has the newest key prove the end of a chain to which nothing is added any more. Taken out of
 * ENCRYPTION_KEYS a key vouches for nothing, nor does it in a thief's hands: what stood before is held by a proof that it
 * cannot make.
 */
export interface Chain {
  knex: Knex
  /** The store's id, or `platform`. */
  name: string
  entries: string
  heads: string
  /** What tells the chain's rows from others of the table. */
  own: Record<string, string>
}

/** The chain of the transaction's store. */
export const storeChain = (tx: StoreTx): Chain => ({
  knex: tx.knex,
  name: tx.storeId,
  entries: 'audit_entries',
  heads: 'audit_heads',
  own: { store_id: tx.storeId },
})

/** The platform's own chain: what super-admins do, to whichever store. */
export const platformChain = (knex: Knex): Chain => ({
  knex,
  name: 'platform',
  entries: 'platform_audit_entries',
  heads: 'platform_audit_heads',
  own: {},
})

export const FIRST_HASH = Buffer.alloc(32)

/** The hash of an entry, over all of it but its proof, and so over its predecessor's hash. */
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
