import { type Chain, platformChain, storeChain } from '#shared/audit/chain.ts'
import { deletePurgedOutcomes, recordCheck } from '#shared/audit/check-outcome.ts'
import { verifyAuditLogs as job } from '#shared/audit/jobs.ts'
import type { ChainPosition } from '#shared/audit/proof.ts'
import { type Verdict, verifyChain } from '#shared/audit/verify-chain.ts'
import { db } from '#shared/platform/db/db.ts'
import { inPlatform, inStore } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { now } from '#shared/platform/time/clock.ts'
import { listStoreSlugs } from '#shared/stores/list-stores.ts'
import { type BrokenLog, mailBrokenLogs } from '#shared/super-admin/mails/audit-broken.ts'
import { handle } from '#workers/platform/handle.ts'
import { readAnchors, writeAnchor } from './anchors.ts'

/**
 * Verifies every audit log with the anchor of an earlier night, and writes the next anchor of each sound one. Broken
 * ones are a figure in /metrics, a line in the log and a mail to the super-admins, every night until they are mended.
 */
export const verifyAuditLogs = handle(job, async (_payload, { signal }) => {
  const start = now()
  const anchors = await readAnchors()
  const broken: BrokenLog[] = []
  for await (const { chain, name, verdict } of verifyAll(anchors)) {
    signal.throwIfAborted()
    await recordCheck(db(), chain, verdict)
    if (!verdict.broken) await anchorEnd(chain, verdict, anchors.get(chain))
    else broken.push({ name, sequence: Number(verdict.broken.sequence), fault: verdict.broken.fault })
  }
  await deletePurgedOutcomes(db(), start)
  for (const one of broken) log.error(one, 'audit log is broken')
  if (broken.length) await inPlatform((knex) => mailBrokenLogs(knex, broken))
})

interface Verified {
  /** The store's id, or `platform`. */
  chain: string
  /** The store's slug, or `platform`. */
  name: string
  verdict: Verdict
}

async function* verifyAll(anchors: ReadonlyMap<string, ChainPosition>): AsyncGenerator<Verified> {
  const verify = (chain: Chain) => verifyChain(chain, anchors.get(chain.name))
  yield { chain: 'platform', name: 'platform', verdict: await verify(platformChain(db())) }
  for (const { id, slug } of await listStoreSlugs()) {
    const verdict = await inStore(id, (tx) => verify(storeChain(tx)))
    // A store that was purged since has no log.
    const isPurged = verdict.broken !== null && (await listStoreSlugs(slug)).length === 0
    if (!isPurged) yield { chain: id, name: slug, verdict }
  }
}

async function anchorEnd(
  chain: string,
  { sound, hash }: Verdict,
  last: ChainPosition | undefined,
): Promise<void> {
  if (sound > (last?.sequence ?? 0n))
    await writeAnchor(chain, { sequence: sound, hash: Buffer.from(hash, 'hex') })
}
