import { type Chain, FIRST_HASH, hashEntry } from './chain.ts'
import type { AuditEntry } from './entry.ts'
import { readHead } from './head.ts'
import { isProven, type Place } from './proof.ts'
import { toEntry } from './rows.ts'

/**
 * What is wrong with a chain, and where first. `missing`: an entry was taken out, or the chain's end put elsewhere.
 * `changed`: an entry is not the one that was written there. `unknown_key`: the key that proved it stands no more in
 * ENCRYPTION_KEYS, and nothing behind it vouches for it. `replaced`: another entry stands where one was written down, or
 * where the chain ended.
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

/** How far a chain was followed, and how far of that a proof vouches for it. */
interface Followed {
  last: Place
  sound: Place
}

/**
 * Holds each entry of a chain to the one before it and to its proof, the last to the chain's end, and the one at a place
 * that was written down to what stood there then. Where a proof or a place shows that something before it was made up,
 * the first entry is named that nothing vouches for.
 */
export async function verifyChain(chain: Chain, writtenDown?: Place): Promise<Verdict> {
  // Read first: entries that are added meanwhile stand behind it.
  const head = await readHead(chain)
  const isHeadProven = head ? isProven(chain.name, 'end', head) : true
  const known = [isHeadProven ? head : undefined, writtenDown]
  const start: Place = { sequence: 0n, hash: FIRST_HASH }
  const followed: Followed = { last: start, sound: start }
  for await (const entry of walkEntries(chain)) {
    const broken = follow(chain.name, entry, followed, known)
    if (broken) return verdict(followed, broken)
  }
  if (followed.sound.sequence < followed.last.sequence)
    return verdict(followed, { sequence: followed.sound.sequence + 1n, fault: 'unknown_key' })
  const fault = faultOfEnd(followed.last, [head, writtenDown], await readHead(chain), isHeadProven)
  return verdict(followed, fault && { sequence: followed.last.sequence + 1n, fault })
}

type Known = readonly (Place | undefined)[]

/** Follows the chain over one more entry. `known`: its proven end, and the place that was written down. */
function follow(
  chain: string,
  entry: AuditEntry,
  at: Followed,
  [end, writtenDown]: Known,
): BrokenLink | null {
  const fault = faultOf(chain, entry, at.last)
  if (fault) return { sequence: at.last.sequence + 1n, fault }
  const isVouchedFor = isProven(chain, 'entry', entry)
  if (isVouchedFor === false)
    return {
      sequence: at.sound.sequence + 1n,
      fault: isProven(chain, 'stray', entry) ? 'missing' : 'changed',
    }
  if (isOther(entry, end) || isOther(entry, writtenDown))
    return { sequence: at.sound.sequence + 1n, fault: 'replaced' }
  at.last = entry
  if (isVouchedFor || entry.sequence === end?.sequence) at.sound = entry
  return null
}

const isOther = ({ sequence, hash }: Place, known: Place | undefined): boolean =>
  sequence === known?.sequence && !hash.equals(known.hash)

const verdict = ({ sound: { sequence, hash } }: Followed, broken: BrokenLink | null): Verdict => ({
  sound: sequence,
  hash: hash.toString('hex'),
  broken,
})

function faultOf(chain: string, entry: AuditEntry, last: Place): BrokenLink['fault'] | null {
  const { hash, keyId: _keyId, proof: _proof, ...told } = entry
  if (entry.sequence !== last.sequence + 1n) return 'missing'
  return hashEntry(chain, told).equals(hash) && entry.previousHash.equals(last.hash) ? null : 'changed'
}

/** What is wrong behind the last entry. `known`: where the chain ended before it was followed, and what was written down. */
function faultOfEnd(
  last: Place,
  known: Known,
  end: Place | undefined,
  isHeadProven: boolean | null,
): BrokenLink['fault'] | null {
  if (isHeadProven === null) return 'unknown_key'
  const isCut = known.some((place) => sequenceOf(place) > last.sequence) || sequenceOf(end) < last.sequence
  return isCut || !isHeadProven ? 'missing' : null
}

const sequenceOf = (place: Place | undefined): bigint => place?.sequence ?? 0n

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
