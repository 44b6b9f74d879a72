import type { ChainPosition } from '#shared/audit/proof.ts'
import { config } from '#shared/platform/config/config.ts'
import { closeDb } from '#shared/platform/db/db.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { readAnchors } from '#workers/audit/anchors.ts'
import { listLogs, verifyLogs } from '#workers/audit/audit-logs.ts'

/**
 * `npm run audit:verify -- <store's slug | platform | all> [<checkpoint>]` verifies whole chains. It reports for each
 * whether it is intact, its first broken link, and its last intact entry as a checkpoint `<sequence>:<hash>`. It
 * compares each chain with its last anchor in the file AUDIT_ANCHORS, and with the given checkpoint of an earlier run.
 * Both detect a replaced entry, even if the attacker has the database and the keys. Exits 1 if a chain is broken, and 2
 * for an unknown chain or an invalid checkpoint.
 */
export async function verifyAudit(
  target: string,
  print: (line: string) => void,
  checkpointText?: string,
): Promise<number> {
  const checkpoint = checkpointText === undefined ? undefined : parseCheckpoint(checkpointText)
  if (checkpoint === null || (checkpoint && target === 'all')) {
    print('A checkpoint is <sequence>:<hash> of one chain, as an earlier run printed it. Name that chain.')
    return 2
  }
  let verifiedLogs = 0
  let brokenLogs = 0
  let anchored = 0
  const anchors = await readAnchors()
  const logs = await listLogs(target)
  await isolateStoreFailures(async (runForStore) => {
    for await (const { name, verdict, anchor } of verifyLogs(logs, {
      runForStore,
      anchors,
      checkpoint,
      isWhole: () => true,
    })) {
      const { verifiedCount, hash, broken } = verdict
      verifiedLogs += 1
      if (broken) brokenLogs += 1
      if (anchor) anchored += 1
      const end = broken ? `BROKEN at ${broken.sequence}: ${broken.fault}` : 'intact'
      print(`${name}  ${verifiedCount} entries, up to ${verifiedCount}:${hash}  ${end}`)
    }
  })
  if (verifiedLogs === 0) {
    print(`There is no store "${target}". Use a store's slug, "platform" or "all".`)
    return 2
  }
  print(`Compared with anchors in ${config().AUDIT_ANCHORS}: ${anchored}`)
  return brokenLogs > 0 ? 1 : 0
}

function parseCheckpoint(text: string): ChainPosition | null {
  const [, sequence = '', hash = ''] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? []
  return hash ? { sequence: BigInt(sequence), hash: Buffer.from(hash, 'hex') } : null
}

if (import.meta.main) {
  process.exitCode = await verifyAudit(process.argv[2] ?? 'all', console.log, process.argv[3])
  await closeDb()
}
