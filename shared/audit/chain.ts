import type { Knex } from 'knex'
import { hmac } from '../platform/crypto.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { canonical } from './canonical.ts'
import type { AuditEntry } from './entry.ts'
import { auditKeys } from './keys.ts'

/** A chain of entries: each holds the hash of the one before it, so none can be changed, moved or taken out unseen. */
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

/**
 * The hash of an entry, over all of it and so over its predecessor's hash. It is keyed: whoever can write to the
 * database but does not know the key cannot mend a chain. Null when the key that it was made with is gone.
 */
export function hashEntry(chain: string, entry: Omit<AuditEntry, 'hash'>): Buffer | null {
  const key = auditKeys().get(entry.keyId)
  if (!key) return null
  const { sequence, createdAt, previousHash, ...rest } = entry
  const text = canonical({
    ...rest,
    chain,
    sequence: String(sequence),
    createdAt: createdAt.toISOString(),
    previousHash: previousHash.toString('hex'),
  })
  return hmac(key, text)
}
