import { hmac } from '../platform/crypto.ts'
import { canonical } from './canonical.ts'
import { type Chain, FIRST_HASH } from './chain.ts'
import { auditKeys } from './keys.ts'

/** A place in a chain, and the hash of the entry that stands there. */
export interface Place {
  sequence: bigint
  hash: Buffer
}

/** The end of a chain. Its proof is keyed, or whoever cuts entries off could put the end further up. */
export interface Head extends Place {
  keyId: string | null
  proof: Buffer | null
}

const COLUMNS = { sequence: 'sequence', hash: 'hash', keyId: 'key_id', proof: 'proof' }

/** The end of a chain as it stands; a chain without entries has none. */
export const readHead = ({ knex, heads, own }: Chain): Promise<Head | undefined> =>
  knex(heads).where(own).first(COLUMNS)

/** The same, locked until the transaction ends: who holds it adds the next entry. */
export async function lockHead(chain: Chain): Promise<Head> {
  const { knex, heads, own } = chain
  const head: Head | undefined = await knex(heads).where(own).forUpdate().first(COLUMNS)
  if (head) return head
  await knex(heads)
    .insert({ ...own, sequence: 0, hash: FIRST_HASH })
    .onConflict()
    .ignore()
  return lockHead(chain)
}

/** Whether the service itself put a chain's end there. */
export const isProven = (chain: string, { keyId, proof, ...place }: Head): boolean =>
  proof !== null && proofOf(chain, place, keyId)?.equals(proof) === true

/**
 * The columns of the end that follows on another. After one that somebody else put there no end is proven any more: a
 * cut would heal with the next entry.
 */
export function headAfter(chain: string, head: Head, { sequence, hash }: Place, keyId: string) {
  const isSound = head.sequence === 0n || isProven(chain, head)
  const proof = isSound ? proofOf(chain, { sequence, hash }, keyId) : null
  return { sequence, hash, key_id: keyId, proof }
}

function proofOf(chain: string, { sequence, hash }: Place, keyId: string | null): Buffer | null {
  const key = auditKeys().get(keyId ?? '')
  return key ? hmac(key, canonical({ chain, end: String(sequence), hash: hash.toString('hex') })) : null
}
