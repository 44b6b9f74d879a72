import { config } from '#shared/platform/config/config.ts'
import { hmac, memoizeByKeys } from '#shared/platform/secrets/crypto.ts'
import { newestKeyId } from '#shared/platform/secrets/seal.ts'
import { canonical } from './canonical.ts'

/** A position in a chain with the hash of its entry. */
export interface ChainPosition {
  sequence: bigint
  hash: Buffer
}

/**
 * The statement of a proof about a position. `entry`: the chain contains this entry. `end`: the chain ends with it.
 * `stray`: it was appended to a forged end. A proof of one statement is not valid for another.
 */
type Statement = 'entry' | 'end' | 'stray'

export interface PositionProof {
  keyId: string
  proof: Buffer
}

const auditKeysOf = memoizeByKeys(
  (keys) => new Map([...keys].map(([kid, key]) => [kid, hmac(key, 'audit chain')])),
)

/** Returns the keys of proofs, derived from ENCRYPTION_KEYS. The first is in use; all of them verify. */
const auditKeys = (): ReadonlyMap<string, Buffer> => auditKeysOf(config().ENCRYPTION_KEYS)

/** Proves a statement with the newest key. Access to the database alone is not enough to make a proof. */
export function signProof(chain: string, statement: Statement, place: ChainPosition): PositionProof {
  const keyId = newestKeyId()
  const proof = proofOf(chain, statement, place, keyId)
  if (!proof) throw new Error('ENCRYPTION_KEYS holds no key. Set it to `kid:key`, see README')
  return { keyId, proof }
}

/** Whether a proof is valid; null if its key was removed, so that it cannot be checked. */
export function isProven(
  chain: string,
  statement: Statement,
  { keyId, proof, ...place }: ChainPosition & { [Part in keyof PositionProof]: PositionProof[Part] | null },
): boolean | null {
  if (keyId === null || proof === null) return false
  return proofOf(chain, statement, place, keyId)?.equals(proof) ?? null
}

function proofOf(
  chain: string,
  statement: Statement,
  { sequence, hash }: ChainPosition,
  keyId: string,
): Buffer | null {
  const key = auditKeys().get(keyId)
  return key
    ? hmac(key, canonical({ chain, [statement]: String(sequence), hash: hash.toString('hex') }))
    : null
}
