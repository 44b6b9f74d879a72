import { DAY_MS } from '#shared/platform/time/clock.ts'
import type { Anchor } from './anchors.ts'

const WHOLE_EVERY_MS = 30 * DAY_MS

/** One night fully verifies logs with at most this many entries together, and one longer log. */
const MAX_ENTRIES = 1_000_000

/**
 * Picks the logs that a night verifies from their first entry: those whose last full verification is at least 30 days
 * ago, the oldest verification first. It reads the times from the file of anchors, because an attacker who can write to
 * the database could hide a log. A log without an anchor is never picked. Also picks one log with more entries than
 * `maxEntries`, a different one each night: a log that cannot be verified in a night would stay the oldest for ever.
 */
export function pickWholeLogs(
  chains: readonly string[],
  anchors: ReadonlyMap<string, Anchor>,
  { at, maxEntries = MAX_ENTRIES }: { at: Date; maxEntries?: number },
): Set<string> {
  const due = chains
    .map((chain) => ({ chain, anchor: anchors.get(chain) }))
    .filter(({ anchor }) => anchor && wholeTime(anchor) <= at.getTime() - WHOLE_EVERY_MS)
    .sort((one, other) => wholeTime(one.anchor) - wholeTime(other.anchor))
  const isLong = ({ anchor }: (typeof due)[number]) => Number(anchor?.sequence) > maxEntries
  const picked = new Set<string>()
  let entries = 0
  for (const { chain, anchor } of due.filter((log) => !isLong(log))) {
    entries += Number(anchor?.sequence)
    if (entries > maxEntries) break
    picked.add(chain)
  }
  const long = due.filter(isLong)
  const ofTonight = long[Math.floor(at.getTime() / DAY_MS) % long.length]
  return ofTonight ? picked.add(ofTonight.chain) : picked
}

const wholeTime = (anchor: Anchor | undefined): number => anchor?.wholeAt?.getTime() ?? 0
