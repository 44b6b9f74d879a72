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
 * An anchor is the end of a sound chain, kept outside the database: in a file that is only appended to, and in the log
 * of the worker. Whoever has the database and ENCRYPTION_KEYS can forge a whole chain with valid proofs, or cut its
 * end, but it no longer contains the anchor. Whoever can also write the file is found by the anchors in the collected
 * logs.
 */

const Line = Type.Object({
  chain: Type.String(),
  sequence: Type.String({ pattern: '^\\d{1,18}$' }),
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

/**
 * The last anchor of each chain in the file AUDIT_ANCHORS. Empty without the file. Throws for a line that is no anchor.
 */
export async function readAnchors(): Promise<Map<string, ChainPosition>> {
  const anchors = new Map<string, ChainPosition>()
  try {
    const input = createReadStream(config().AUDIT_ANCHORS, 'utf8')
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const anchor: unknown = JSON.parse(line)
      if (!Check(Line, anchor)) throw new Error(`${config().AUDIT_ANCHORS} has a line that is no anchor`)
      anchors.set(anchor.chain, { sequence: BigInt(anchor.sequence), hash: Buffer.from(anchor.hash, 'hex') })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return anchors
}

/** Appends the end of a sound chain to the file and to the log. */
export async function writeAnchor(chain: string, { sequence, hash }: ChainPosition): Promise<void> {
  const anchor = { chain, sequence: String(sequence), hash: hash.toString('hex') }
  log.info(anchor, 'audit anchor')
  await appendFile(config().AUDIT_ANCHORS, `${JSON.stringify({ at: now().toISOString(), ...anchor })}\n`)
}
