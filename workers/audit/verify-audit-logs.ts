import {
  claimReports,
  deletePurgedOutcomes,
  findBrokenChains,
  recordCheck,
} from '#shared/audit/chain-check.ts'
import { verifyAuditLogs as job } from '#shared/audit/jobs.ts'
import { db } from '#shared/platform/db/db.ts'
import { inPlatform } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { now } from '#shared/platform/time/clock.ts'
import { isolateStoreFailures, type RunForStore } from '#shared/stores/isolate-store-failures.ts'
import { type BrokenLog, mailBrokenLogs } from '#shared/super-admin/mails/audit-broken.ts'
import { handle } from '#workers/platform/handle.ts'
import { readAnchors, writeAnchor } from './anchors.ts'
import { type AuditLog, listLogs, type VerifiedLog, verifyLogs } from './audit-logs.ts'
import { pickWholeLogs } from './pick-whole-logs.ts'

/**
 * Verifies every audit log from its anchor of an earlier night on, and some from their first entry on, so that a change
 * before an anchor is found within about a month. Writes the next anchor of each intact log. A broken log is verified
 * fully and reported in /metrics, in the worker's log and by a mail to the super-admins, every night until it is
 * repaired. A log that cannot be read fails the job after all other work, and a repeated job mails only what is new.
 */
export const verifyAuditLogs = handle(job, async (_payload, { signal }) => {
  await isolateStoreFailures(async (runForStore) => {
    const broken = await verifyAndAnchor(runForStore, { at: now(), signal })
    for (const { name, sequence, fault } of broken)
      log.error({ name, sequence, fault }, 'audit log is broken')
    await reportByMail(broken)
    const logs = await listLogs('all')
    await deletePurgedOutcomes(
      db(),
      logs.map(({ chain }) => chain),
    )
  }, signal)
})

type FoundBroken = BrokenLog & Pick<AuditLog, 'chain'>

/** Queues a mail about the broken logs that no mail of this night reports. */
const reportByMail = (broken: readonly FoundBroken[]): Promise<void> =>
  inPlatform(async (tx) => {
    const claimed = await claimReports(
      tx,
      broken.map(({ chain }) => chain),
    )
    const logs = broken
      .filter(({ chain }) => claimed.has(chain))
      .map(({ name, sequence, fault }) => ({ name, sequence, fault }))
    if (logs.length) await mailBrokenLogs(tx, logs)
  })

/** Verifies every audit log, records each outcome, and anchors the intact logs. Returns the broken ones. */
async function verifyAndAnchor(
  runForStore: RunForStore,
  { at, signal }: { at: Date; signal: AbortSignal },
): Promise<FoundBroken[]> {
  const anchors = await readAnchors()
  const all = await listLogs('all')
  const picked = pickWholeLogs(
    all.map(({ chain }) => chain),
    anchors,
    { at },
  )
  const whole = new Set([...picked, ...(await findBrokenChains(db()))])
  const isWhole = (chain: string) => whole.has(chain)
  // Long verifications run last, so that they do not delay the others.
  const entriesToVerify = ({ chain }: AuditLog) =>
    isWhole(chain) ? Number(anchors.get(chain)?.sequence ?? 0) : -1
  const logs = all.toSorted((one, other) => entriesToVerify(one) - entriesToVerify(other))
  const broken: FoundBroken[] = []
  for await (const verified of verifyLogs(logs, { runForStore, anchors, isWhole, signal })) {
    const { chain, name, verdict } = verified
    await recordCheck(db(), verified)
    if (!verdict.broken) await anchorEnd(verified)
    else broken.push({ chain, name, sequence: Number(verdict.broken.sequence), fault: verdict.broken.fault })
  }
  return broken
}

async function anchorEnd({
  chain,
  verdict: { verifiedCount, hash },
  anchor,
  isWhole,
}: VerifiedLog): Promise<void> {
  const isLonger = verifiedCount > (anchor?.sequence ?? 0n)
  if (isLonger || (isWhole && verifiedCount > 0n))
    await writeAnchor(chain, { sequence: verifiedCount, hash: Buffer.from(hash, 'hex') }, { isWhole })
}
