import { type Chain, platformChain, storeChain } from '#shared/audit/chain.ts'
import type { ChainPosition } from '#shared/audit/proof.ts'
import { type Verdict, verifyChain } from '#shared/audit/verify-chain.ts'
import { config } from '#shared/platform/config/config.ts'
import { closeDb, db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { listStoreSlugs } from '#shared/stores/list-stores.ts'
import { readAnchors } from './anchors.ts'

interface Verified {
  /** The store's slug, or `platform`. */
  name: string
  verdict: Verdict
  /** The chain's anchor in the file, which confirms it too. */
  anchor: ChainPosition | undefined
}

/** Verifies the requested audit chains: a store's by its slug, `platform`, or `all`. */
async function* verifyChains(
  target: string,
  checkpoint: ChainPosition | undefined,
): AsyncGenerator<Verified> {
  const anchors = await readAnchors()
  const verify = (chain: Chain) => verifyChain(chain, anchors.get(chain.name), checkpoint)
  if (target === 'platform' || target === 'all') {
    const verdict = await verify(platformChain(db()))
    yield { name: 'platform', verdict, anchor: anchors.get('platform') }
  }
  if (target === 'platform') return
  for (const { id, slug } of await listStoreSlugs(target === 'all' ? undefined : target)) {
    const verdict = await inStore(id, (tx) => verify(storeChain(tx)))
    yield { name: slug, verdict, anchor: anchors.get(id) }
  }
}

/**
 * `npm run audit:verify -- <store's slug | platform | all> [<checkpoint>]` reports for each chain whether it is sound,
 * its first broken link, and its last sound entry as a checkpoint `<sequence>:<hash>`. Each chain is compared with its
 * last anchor in the file AUDIT_ANCHORS, and with the checkpoint of an earlier run that is given. Both detect a
 * replaced entry, even if the attacker has the database and the keys. Exits 1 when a chain is broken, and 2 for an
 * unknown chain or an invalid checkpoint.
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
  let anchored = 0
  for await (const { name, verdict, anchor } of verifyChains(target, checkpoint)) {
    const { sound, hash, broken } = verdict
    code = broken || code === 1 ? 1 : 0
    if (anchor) anchored += 1
    const end = broken ? `BROKEN at ${broken.sequence}: ${broken.fault}` : 'sound'
    print(`${name}  ${sound} entries, up to ${sound}:${hash}  ${end}`)
  }
  if (code === 2) print(`There is no store "${target}". Use a store's slug, "platform" or "all".`)
  else print(`Compared with anchors in ${config().AUDIT_ANCHORS}: ${anchored}`)
  return code
}

function parseCheckpoint(text: string): ChainPosition | null {
  const [, sequence = '', hash = ''] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? []
  return hash ? { sequence: BigInt(sequence), hash: Buffer.from(hash, 'hex') } : null
}

if (import.meta.main) {
  process.exitCode = await verifyAudit(process.argv[2] ?? 'all', console.log, process.argv[3])
  await closeDb()
}
