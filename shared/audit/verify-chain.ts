import { type Chain, FIRST_HASH, hashEntry } from './chain.ts'
import { type AuditEntry, toEntry } from './entry.ts'
import { readHead } from './head.ts'
import { type ChainPosition, isProven } from './proof.ts'

/**
 * The first fault of a chain. `missing`: an entry was removed, or the chain's end was moved. `changed`: an entry was
 * changed. `unknown_key`: the key of its proof is no longer in ENCRYPTION_KEYS and no later proof confirms it.
 * `replaced`: the checkpoint or the chain's end has another entry.
 */
export interface BrokenLink {
  sequence: bigint
  fault: 'missing' | 'changed' | 'unknown_key' | 'replaced'
}

export interface Verdict {
  /** The number of sound entries from the first on. */
  sound: bigint
  /**
   * The hash of the last sound entry. Stored elsewhere as a checkpoint, it lets a later run detect a replaced chain.
   */
  hash: string
  broken: BrokenLink | null
}

// An entry of many long fields has 140 KB, and a worker's heap 256 MB for all that it does.
const BATCH_SIZE = 50

/** The last entry that was read, and the last one that a proof confirms. */
interface Progress {
  last: ChainPosition
  sound: ChainPosition
}

/**
 * Checks each entry of a chain against its predecessor and its proof, the last one against the chain's end, and the
 * entry at each checkpoint against the checkpoint. When a proof or a checkpoint exposes a forgery, reports the first
 * entry that nothing confirms.
 */
export async function verifyChain(
  chain: Chain,
  ...checkpoints: (ChainPosition | undefined)[]
): Promise<Verdict> {
  // Read the end first: entries that are appended during the verification come after it.
  const head = await readHead(chain)
  const isHeadProven = head ? isProven(chain.name, 'end', head) : true
  const known: Known = [isHeadProven ? head : undefined, ...checkpoints]
  const start: ChainPosition = { sequence: 0n, hash: FIRST_HASH }
  const progress: Progress = { last: start, sound: start }
  for await (const entry of walkEntries(chain)) {
    const broken = checkEntry(chain.name, entry, progress, known)
    if (broken) return verdict(progress, broken)
  }
  if (progress.sound.sequence < progress.last.sequence)
    return verdict(progress, { sequence: progress.sound.sequence + 1n, fault: 'unknown_key' })
  const fault = faultOfEnd(progress.last, [head, ...checkpoints], await readHead(chain), isHeadProven)
  return verdict(progress, fault && { sequence: progress.last.sequence + 1n, fault })
}

type Known = readonly (ChainPosition | undefined)[]

/** Checks one more entry. `known`: the chain's proven end, then the checkpoints. */
function checkEntry(chain: string, entry: AuditEntry, at: Progress, known: Known): BrokenLink | null {
  const fault = faultOf(chain, entry, at.last)
  if (fault) return { sequence: at.last.sequence + 1n, fault }
  const isConfirmed = isProven(chain, 'entry', entry)
  if (isConfirmed === false)
    return {
      sequence: at.sound.sequence + 1n,
      fault: isProven(chain, 'stray', entry) ? 'missing' : 'changed',
    }
  if (known.some((place) => differs(entry, place)))
    return { sequence: at.sound.sequence + 1n, fault: 'replaced' }
  at.last = entry
  if (isConfirmed || entry.sequence === known[0]?.sequence) at.sound = entry
  return null
}

const differs = ({ sequence, hash }: ChainPosition, known: ChainPosition | undefined): boolean =>
  sequence === known?.sequence && !hash.equals(known.hash)

const verdict = ({ sound: { sequence, hash } }: Progress, broken: BrokenLink | null): Verdict => ({
  sound: sequence,
  hash: hash.toString('hex'),
  broken,
})

function faultOf(chain: string, entry: AuditEntry, last: ChainPosition): BrokenLink['fault'] | null {
  const { hash, keyId: _keyId, proof: _proof, ...content } = entry
  if (entry.sequence !== last.sequence + 1n) return 'missing'
  return hashEntry(chain, content).equals(hash) && entry.previousHash.equals(last.hash) ? null : 'changed'
}

/** Checks the chain's end. `known`: its end before the verification, and the checkpoints. */
function faultOfEnd(
  last: ChainPosition,
  known: Known,
  end: ChainPosition | undefined,
  isHeadProven: boolean | null,
): BrokenLink['fault'] | null {
  if (isHeadProven === null) return 'unknown_key'
  const isCut = known.some((place) => sequenceOf(place) > last.sequence) || sequenceOf(end) < last.sequence
  return isCut || !isHeadProven ? 'missing' : null
}

const sequenceOf = (place: ChainPosition | undefined): bigint => place?.sequence ?? 0n

async function* walkEntries({ knex, entries, own }: Chain): AsyncGenerator<AuditEntry> {
  for (let after = 0n; ; ) {
    const rows = await knex(entries)
      .where(own)
      .where('sequence', '>', String(after))
      .orderBy('sequence')
      .limit(BATCH_SIZE)
    yield* rows.map(toEntry)
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1).sequence
  }
}
