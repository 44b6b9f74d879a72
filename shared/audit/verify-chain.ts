import { pauseInTurns } from '#shared/platform/time/pause-in-turns.ts'
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
  /** The number of intact entries, counted from the first. Those up to `start` count as intact. */
  verifiedCount: bigint
  /**
   * The hash of the last intact entry. Stored elsewhere as a checkpoint, it lets a later run detect a replaced chain.
   */
  hash: string
  broken: BrokenLink | null
}

// Read few entries at a time: a worker's heap has 256 MB for all its work. Each changed field of an entry has up to
// 8 KiB before and after the change, so that 50 long entries could exceed the most bytes of a statement.
const BATCH_SIZE = 50
const BATCH_BYTES = 4 * 1024 * 1024

/** The last read entry, and the last entry that a proof confirms. */
interface Progress {
  last: ChainPosition
  confirmed: ChainPosition
}

interface KnownPositions {
  /** Positions that were recorded outside the database. */
  checkpoints?: readonly (ChainPosition | undefined)[]
  /**
   * An entry that was recorded outside the database. Only the entries after it are verified, so changes of earlier
   * entries are not found. If the chain no longer contains this entry, the whole chain is verified.
   */
  start?: ChainPosition | undefined
}

interface Verification extends KnownPositions {
  /** Ends the verification of a long chain with its reason. */
  signal?: AbortSignal | undefined
}

/**
 * Checks each entry of a chain against its predecessor and its proof, the last entry against the chain's end, and
 * checkpoints against their entries. If a proof or checkpoint exposes a forgery, reports the first entry that no valid
 * proof confirms.
 */
export async function verifyChain(
  chain: Chain,
  { checkpoints = [], start, signal }: Verification = {},
): Promise<Verdict> {
  const known = [start, ...checkpoints]
  if (start && (await containsUnchanged(chain, start))) return verifyAfter(chain, start, known, signal)
  return verifyAfter(chain, { sequence: 0n, hash: FIRST_HASH }, known, signal)
}

async function containsUnchanged(chain: Chain, { sequence, hash }: ChainPosition): Promise<boolean> {
  const { knex, entries, own, name } = chain
  const row = await knex(entries)
    .where({ ...own, sequence })
    .first()
  if (!row) return false
  const { hash: found, keyId: _keyId, proof: _proof, ...content } = toEntry(row)
  return found.equals(hash) && hashEntry(name, content).equals(hash)
}

/** Verifies the entries after `start`, which is intact. */
async function verifyAfter(
  chain: Chain,
  start: ChainPosition,
  checkpoints: readonly (ChainPosition | undefined)[],
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  // Read the end first, because entries may be appended during the verification.
  const head = await readHead(chain)
  const isHeadProven = head ? isProven(chain.name, 'end', head) : true
  const provenEnd = isHeadProven ? head : undefined
  const known = { provenEnd, positions: [provenEnd, ...checkpoints] }
  const progress: Progress = { last: start, confirmed: start }
  if (differs(start, provenEnd)) return verdict(progress, { sequence: start.sequence, fault: 'replaced' })
  for await (const entry of walkEntries(chain, start.sequence)) {
    signal?.throwIfAborted()
    const broken = checkEntry(chain.name, entry, progress, known)
    if (broken) return verdict(progress, broken)
  }
  if (progress.confirmed.sequence < progress.last.sequence)
    return verdict(progress, { sequence: progress.confirmed.sequence + 1n, fault: 'unknown_key' })
  const fault = faultOfEnd(progress.last, [head, ...checkpoints], await readHead(chain), isHeadProven)
  return verdict(progress, fault && { sequence: progress.last.sequence + 1n, fault })
}

interface Known {
  /** The chain's end before the verification, if its proof is valid. */
  provenEnd: ChainPosition | undefined
  /** The proven end and the checkpoints. */
  positions: readonly (ChainPosition | undefined)[]
}

/** Checks one more entry. */
function checkEntry(
  chain: string,
  entry: AuditEntry,
  at: Progress,
  { provenEnd, positions }: Known,
): BrokenLink | null {
  const fault = faultOf(chain, entry, at.last)
  if (fault) return { sequence: at.last.sequence + 1n, fault }
  const isConfirmed = isProven(chain, 'entry', entry)
  if (isConfirmed === false)
    return {
      sequence: at.confirmed.sequence + 1n,
      fault: isProven(chain, 'stray', entry) ? 'missing' : 'changed',
    }
  if (positions.some((position) => differs(entry, position)))
    return { sequence: at.confirmed.sequence + 1n, fault: 'replaced' }
  at.last = entry
  if (isConfirmed || entry.sequence === provenEnd?.sequence) at.confirmed = entry
  return null
}

const differs = ({ sequence, hash }: ChainPosition, known: ChainPosition | undefined): boolean =>
  sequence === known?.sequence && !hash.equals(known.hash)

const verdict = ({ confirmed: { sequence, hash } }: Progress, broken: BrokenLink | null): Verdict => ({
  verifiedCount: sequence,
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
  known: readonly (ChainPosition | undefined)[],
  end: ChainPosition | undefined,
  isHeadProven: boolean | null,
): BrokenLink['fault'] | null {
  if (isHeadProven === null) return 'unknown_key'
  const isCut = known.some((place) => sequenceOf(place) > last.sequence) || sequenceOf(end) < last.sequence
  return isCut || !isHeadProven ? 'missing' : null
}

const sequenceOf = (place: ChainPosition | undefined): bigint => place?.sequence ?? 0n

async function* walkEntries(chain: Chain, start: bigint): AsyncGenerator<AuditEntry> {
  const pause = pauseInTurns()
  for (let after = start; ; ) {
    const rows = await nextRows(chain, after)
    if (rows.length === 0) return
    for (const row of rows) {
      const entry = toEntry(row)
      after = entry.sequence
      yield entry
      await pause()
    }
  }
}

const BYTES = ['before::text', 'after::text', 'sealed']
  .map((content) => `coalesce(octet_length(${content}), 0)`)
  .join(' + ')

/** Reads the next entries after a sequence: at most the bytes of a batch, or one longer entry. */
function nextRows({ knex, entries, own }: Chain, after: bigint): Promise<Record<string, unknown>[]> {
  const following = () =>
    knex(entries).where(own).where('sequence', '>', String(after)).orderBy('sequence').limit(BATCH_SIZE)
  const sized = knex
    .from(
      following()
        .select('sequence', knex.raw(`${BYTES} as length`))
        .as('following'),
    )
    .select('sequence', knex.raw('row_number() over (order by sequence) as place'))
    .select(knex.raw('sum(length) over (order by sequence) as bytes'))
  const last = knex
    .from(sized.as('sized'))
    .where('place', 1)
    .orWhere('bytes', '<=', BATCH_BYTES)
    .max('sequence')
  return following().where('sequence', '<=', last)
}
