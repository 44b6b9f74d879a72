import { missingKey } from '#shared/platform/secrets/seal.ts'
import { type Chain, FIRST_HASH } from './chain.ts'
import { isProven, type Place, type Proof, prove } from './proof.ts'

/** The end of a chain. It is proven, or whoever cuts entries off could put the end further up. */
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
  const head = await lockedHead(chain)
  if (head) return head
  await knex(heads)
    .insert({ ...own, sequence: 0, hash: FIRST_HASH })
    .onConflict()
    .ignore()
  return lockHead(chain)
}

const lockedHead = ({ knex, heads, own }: Chain): Promise<Head | undefined> =>
  knex(heads).where(own).forNoKeyUpdate().first(COLUMNS)

/**
 * Proves an entry that is added to the end of a chain, and makes the columns of the end that it is then. Once somebody
 * else put an end there, no entry vouches for those before it, and no end is proven any more: a cut would heal with the
 * next entry. Throws `UnsealError` when the key is gone that could tell.
 */
export function proveNext(chain: string, head: Head, { sequence, hash }: Place) {
  const isSound = isOurs(chain, head)
  return {
    entry: prove(chain, isSound ? 'entry' : 'stray', { sequence, hash }),
    end: { sequence, hash, ...columnsOf(isSound ? prove(chain, 'end', { sequence, hash }) : null) },
  }
}

/** Whether the service itself put the chain's end there. */
function isOurs(chain: string, head: Head): boolean {
  if (head.sequence === 0n) return true
  const answer = isProven(chain, 'end', head)
  if (answer === null) throw missingKey(head.keyId, `proved the end of the audit log "${chain}"`)
  return answer
}

/**
 * Has the newest key prove where a chain ends, in place of an older one. Null for a chain without entries; one whose end
 * somebody else put there stays `broken`. Throws `UnsealError`.
 */
export async function renewProof(chain: Chain): Promise<'renewed' | 'current' | 'broken' | null> {
  const head = await lockedHead(chain)
  if (!head || head.sequence === 0n) return null
  if (!isOurs(chain.name, head)) return 'broken'
  const proof = prove(chain.name, 'end', head)
  if (proof.keyId === head.keyId) return 'current'
  await chain.knex(chain.heads).where(chain.own).update(columnsOf(proof))
  return 'renewed'
}

const columnsOf = (proof: Proof | null) => ({ key_id: proof?.keyId ?? null, proof: proof?.proof ?? null })
