import { platformChain, storeChain } from '#shared/audit/chain.ts'
import type { Place } from '#shared/audit/proof.ts'
import { type Verdict, verifyChain } from '#shared/audit/verify-chain.ts'
import { closeDb, db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { listStoreSlugs } from '#shared/stores/list-stores.ts'

/** Verifies the requested audit chains: a store's by its slug, `platform`, or `all`. */
async function* verifyChains(
  target: string,
  checkpoint: Place | undefined,
): AsyncGenerator<[name: string, verdict: Verdict]> {
  if (target === 'platform' || target === 'all')
    yield ['platform', await verifyChain(platformChain(db()), checkpoint)]
  if (target === 'platform') return
  for (const { id, slug } of await listStoreSlugs(target === 'all' ? undefined : target))
    yield [slug, await inStore(id, (tx) => verifyChain(storeChain(tx), checkpoint))]
}

/**
 * `npm run audit:verify -- <store's slug | platform | all> [<checkpoint>]` reports for each chain whether it is sound, its
 * first broken link, and its last sound entry as a checkpoint `<sequence>:<hash>`. Store the checkpoint outside the
 * database. A later run with it detects a replaced entry, even if the attacker has the database and the keys. Exits 1
 * when a chain is broken, and 2 for an unknown chain or an invalid checkpoint.
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
  let code = 2
  for await (const [name, { sound, hash, broken }] of verifyChains(target, checkpoint)) {
    code = broken || code === 1 ? 1 : 0
    const end = broken ? `BROKEN at ${broken.sequence}: ${broken.fault}` : 'sound'
    print(`${name}  ${sound} entries, up to ${sound}:${hash}  ${end}`)
  }
  if (code === 2) print(`There is no store "${target}". Use a store's slug, "platform" or "all".`)
  return code
}

function parseCheckpoint(text: string): Place | null {
  const [, sequence = '', hash = ''] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? []
  return hash ? { sequence: BigInt(sequence), hash: Buffer.from(hash, 'hex') } : null
}

if (import.meta.main) {
  process.exitCode = await verifyAudit(process.argv[2] ?? 'all', console.log, process.argv[3])
  await closeDb()
}
