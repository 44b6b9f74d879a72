import { missingKey } from '#shared/platform/secrets/seal.ts'
import { type Chain, FIRST_HASH } from './chain.ts'
import { type ChainPosition, isProven, type PositionProof, signProof } from './proof.ts'

/** The end of a chain. Its proof prevents an attacker from cutting entries off and moving the end. */
export interface Head extends ChainPosition {
  keyId: string | null
  proof: Buffer | null
}

const COLUMNS = { sequence: 'sequence', hash: 'hash', keyId: 'key_id', proof: 'proof' }

/** Reads the end of a chain. A chain without entries has none. */
export const readHead = ({ knex, heads, own }: Chain): Promise<Head | undefined> =>
  knex(heads).where(own).first(COLUMNS)

/** Locks the end of a chain until the transaction ends, to append an entry. */
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
 * Proves an appended entry and returns the columns of the new end. After a forged end it proves entries as `stray` and
 * does not prove the end, because otherwise the next entry would hide a cut. Throws `UnsealError` if the key of the
 * present end was removed.
 */
export function signNextProof(chain: string, head: Head, { sequence, hash }: ChainPosition) {
  const intact = isIntact(chain, head)
  return {
    entry: signProof(chain, intact ? 'entry' : 'stray', { sequence, hash }),
    end: { sequence, hash, ...columnsOf(intact ? signProof(chain, 'end', { sequence, hash }) : null) },
  }
}

/** Whether the proof of the chain's end is valid. */
function isIntact(chain: string, head: Head): boolean {
  if (head.sequence === 0n) return true
  const proven = isProven(chain, 'end', head)
  if (proven === null) throw missingKey(head.keyId, `proved the end of the audit log "${chain}"`)
  return proven
}

/**
 * Proves the end of a chain with the newest key. Returns null for a chain without entries, and `broken` for a forged
 * end, which it does not prove. Throws `UnsealError`.
 */
export async function renewProof(chain: Chain): Promise<'renewed' | 'current' | 'broken' | null> {
  const head = await lockedHead(chain)
  if (!head || head.sequence === 0n) return null
  if (!isIntact(chain.name, head)) return 'broken'
  const proof = signProof(chain.name, 'end', head)
  if (proof.keyId === head.keyId) return 'current'
  await chain.knex(chain.heads).where(chain.own).update(columnsOf(proof))
  return 'renewed'
}

const columnsOf = (proof: PositionProof | null) => ({
  key_id: proof?.keyId ?? null,
  proof: proof?.proof ?? null,
})
