import { hmac } from '#shared/platform/secrets/crypto.ts'
import { newestKeyId } from '#shared/platform/secrets/seal.ts'
import { canonical } from './canonical.ts'
import { auditKeys } from './keys.ts'

/** A place in a chain, and the hash of the entry that stands there. */
export interface Place {
  sequence: bigint
  hash: Buffer
}

/**
 * What is proven of a place: that the chain leads to this entry (`entry`) or ends with it (`end`), or that the entry was
 * added to an end that somebody else had put there (`stray`). None passes for another.
 */
type Fact = 'entry' | 'end' | 'stray'

export interface Proof {
  keyId: string
  proof: Buffer
}

/** Proves a place by the newest key: nobody else can, who has the database and not the key. */
export function prove(chain: string, fact: Fact, place: Place): Proof {
  const keyId = newestKeyId()
  const proof = proofOf(chain, fact, place, keyId)
  if (!proof) throw new Error('ENCRYPTION_KEYS holds no key')
  return { keyId, proof }
}

/** Whether the service itself proved the place; null when the key that it did so by is gone, and nobody can tell. */
export function isProven(
  chain: string,
  fact: Fact,
  { keyId, proof, ...place }: Place & { [Part in keyof Proof]: Proof[Part] | null },
): boolean | null {
  if (keyId === null || proof === null) return false
  return proofOf(chain, fact, place, keyId)?.equals(proof) ?? null
}

function proofOf(chain: string, fact: Fact, { sequence, hash }: Place, keyId: string): Buffer | null {
  const key = auditKeys().get(keyId)
  return key ? hmac(key, canonical({ chain, [fact]: String(sequence), hash: hash.toString('hex') })) : null
}
