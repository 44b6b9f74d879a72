import { createReadStream } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Type } from 'typebox'
import { Check } from 'typebox/schema'
import type { ChainPosition } from '#shared/audit/proof.ts'
import { config } from '#shared/platform/config/config.ts'
import { log } from '#shared/platform/log.ts'
import { now } from '#shared/platform/time/clock.ts'

/*
 * An anchor is the end of an intact chain, kept outside the database: in an append-only file and in the worker's log.
 * An attacker with the database and ENCRYPTION_KEYS can forge a whole chain with valid proofs, or cut its end. But the
 * forged chain does not contain the anchor. If the attacker can also write the file, the collected logs still have the
 * anchors.
 */

const Line = Type.Object({
  at: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' }),
  chain: Type.String(),
  sequence: Type.String({ pattern: '^\\d{1,18}$' }),
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  whole: Type.Optional(Type.Boolean()),
})

export interface Anchor extends ChainPosition {
  /** The time when the chain was last verified from its first entry on; null if the file does not say. */
  wholeAt: Date | null
}

/**
 * Returns the last anchor of each chain in the file AUDIT_ANCHORS. Empty if the file does not exist. Throws for a line
 * that is no anchor.
 */
export async function readAnchors(): Promise<Map<string, Anchor>> {
  const anchors = new Map<string, Anchor>()
  try {
    const input = createReadStream(config().AUDIT_ANCHORS, 'utf8')
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const anchor: unknown = JSON.parse(line)
      if (!Check(Line, anchor)) throw new Error(`${config().AUDIT_ANCHORS} has a line that is no anchor`)
      anchors.set(anchor.chain, {
        sequence: BigInt(anchor.sequence),
        hash: Buffer.from(anchor.hash, 'hex'),
        wholeAt: anchor.whole ? new Date(anchor.at) : (anchors.get(anchor.chain)?.wholeAt ?? null),
      })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return anchors
}

/**
 * Appends the end of an intact chain to the file and to the log. `isWhole`: the chain was verified from its first entry
 * on.
 */
export async function writeAnchor(
  chain: string,
  { sequence, hash }: ChainPosition,
  { isWhole = false } = {},
): Promise<void> {
  const anchor = {
    chain,
    sequence: String(sequence),
    hash: hash.toString('hex'),
    ...(isWhole ? { whole: true } : {}),
  }
  log.info(anchor, 'audit anchor')
  await appendFile(config().AUDIT_ANCHORS, `${JSON.stringify({ at: now().toISOString(), ...anchor })}\n`)
}
