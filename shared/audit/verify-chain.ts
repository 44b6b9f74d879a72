import { type Chain, FIRST_HASH, type Head, hashEntry, readHead } from './chain.ts'
import type { AuditEntry } from './entry.ts'
import { toEntry } from './rows.ts'

/**
 * What is wrong with a chain, and where first. `missing`: an entry was taken out. `changed`: an entry is not the one
 * that was written there. `unknown_key`: the key it was made with stands no more in ENCRYPTION_KEYS.
 */
export interface BrokenLink {
  sequence: bigint
  fault: 'missing' | 'changed' | 'unknown_key'
}

export interface Verdict {
  /** How many entries are sound, from the first on. */
  sound: bigint
  /** Of the last sound entry. Kept elsewhere, it proves later that no end of the chain was put in place of this one. */
  hash: string
  broken: BrokenLink | null
}

const SLICE = 1_000

/** Holds each entry of a chain to the one before it, and the last to the chain's end. */
export async function verifyChain(chain: Chain): Promise<Verdict> {
  // Read first: entries that are added meanwhile stand behind it.
  const head = await readHead(chain)
  let last: Head = { sequence: 0n, hash: FIRST_HASH }
  for await (const entry of walkEntries(chain)) {
    const fault = faultOf(chain.name, entry, last)
    if (fault) return verdict(last, { sequence: last.sequence + 1n, fault })
    last = entry
  }
  const isCut = head ? head.sequence > last.sequence : last.sequence > 0n && !(await readHead(chain))
  return verdict(last, isCut ? { sequence: last.sequence + 1n, fault: 'missing' } : null)
}

const verdict = ({ sequence, hash }: Head, broken: BrokenLink | null): Verdict => ({
  sound: sequence,
  hash: hash.toString('hex'),
  broken,
})

function faultOf(chain: string, { hash, ...entry }: AuditEntry, last: Head): BrokenLink['fault'] | null {
  if (entry.sequence !== last.sequence + 1n) return 'missing'
  const expected = hashEntry(chain, entry)
  if (!expected) return 'unknown_key'
  return expected.equals(hash) && entry.previousHash.equals(last.hash) ? null : 'changed'
}

async function* walkEntries({ knex, entries, own }: Chain): AsyncGenerator<AuditEntry> {
  for (let after = 0n; ; ) {
    const rows = await knex(entries)
      .where(own)
      .where('sequence', '>', String(after))
      .orderBy('sequence')
      .limit(SLICE)
    yield* rows.map(toEntry)
    if (rows.length < SLICE) return
    after = rows.at(-1).sequence
  }
}
