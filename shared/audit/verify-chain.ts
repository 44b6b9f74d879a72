import { type Chain, FIRST_HASH, hashEntry } from './chain.ts'
import type { AuditEntry } from './entry.ts'
import { isProven, type Place, readHead } from './head.ts'
import { toEntry } from './rows.ts'

/**
 * What is wrong with a chain, and where first. `missing`: an entry was taken out, or the chain's end put further up.
 * `changed`: an entry is not the one that was written there. `unknown_key`: the key it was made with stands no more in
 * ENCRYPTION_KEYS. `replaced`: another entry stands where one was written down.
 */
export interface BrokenLink {
  sequence: bigint
  fault: 'missing' | 'changed' | 'unknown_key' | 'replaced'
}

export interface Verdict {
  /** How many entries are sound, from the first on. */
  sound: bigint
  /** Of the last sound entry. Written down elsewhere, it shows later whether the chain still leads over this place. */
  hash: string
  broken: BrokenLink | null
}

const SLICE = 1_000

/**
 * Holds each entry of a chain to the one before it, the last to the chain's end, and the one at a place that was written
 * down to what stood there then.
 */
export async function verifyChain(chain: Chain, writtenDown?: Place): Promise<Verdict> {
  // Read first: entries that are added meanwhile stand behind it.
  const head = await readHead(chain)
  let last: Place = { sequence: 0n, hash: FIRST_HASH }
  for await (const entry of walkEntries(chain)) {
    const fault = faultOf(chain.name, entry, last) ?? (isOther(entry, writtenDown) ? 'replaced' : null)
    if (fault) return verdict(last, { sequence: last.sequence + 1n, fault })
    last = entry
  }
  const end = await readHead(chain)
  const isCut =
    sequenceOf(head) > last.sequence ||
    sequenceOf(end) < last.sequence ||
    (head !== undefined && !isProven(chain.name, head))
  const isShort = writtenDown !== undefined && writtenDown.sequence > last.sequence
  return verdict(last, isCut || isShort ? { sequence: last.sequence + 1n, fault: 'missing' } : null)
}

const sequenceOf = (place: Place | undefined): bigint => place?.sequence ?? 0n

const isOther = ({ sequence, hash }: Place, writtenDown: Place | undefined): boolean =>
  sequence === writtenDown?.sequence && !hash.equals(writtenDown.hash)

const verdict = ({ sequence, hash }: Place, broken: BrokenLink | null): Verdict => ({
  sound: sequence,
  hash: hash.toString('hex'),
  broken,
})

function faultOf(chain: string, { hash, ...entry }: AuditEntry, last: Place): BrokenLink['fault'] | null {
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
