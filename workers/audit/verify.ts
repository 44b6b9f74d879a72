import { platformChain, storeChain } from '#shared/audit/chain.ts'
import type { Place } from '#shared/audit/proof.ts'
import { type Verdict, verifyChain } from '#shared/audit/verify-chain.ts'
import { closeDb, db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { listSlugs } from '#shared/stores/list-stores.ts'

/** The audit chains that are asked for: a store's by its slug, `platform`, or `all`. */
async function* chainsOf(
  asked: string,
  writtenDown: Place | undefined,
): AsyncGenerator<[name: string, verdict: Verdict]> {
  if (asked === 'platform' || asked === 'all')
    yield ['platform', await verifyChain(platformChain(db()), writtenDown)]
  if (asked === 'platform') return
  for (const { id, slug } of await listSlugs(asked === 'all' ? undefined : asked))
    yield [slug, await inStore(id, (tx) => verifyChain(storeChain(tx), writtenDown))]
}

/**
 * `npm run audit:verify -- <store's slug | platform | all> [<place>]`: says of each chain whether it is sound, else the
 * first broken link, and the place that it is sound up to, `<sequence>:<hash>`. That is worth writing down elsewhere:
 * given back for its one chain later on, it shows that what stood there still does, whoever had the database and the
 * keys meanwhile. Exits 1 when a chain is broken, 2 when there is no such chain or place.
 */
export async function verifyAudit(
  asked: string,
  say: (line: string) => void,
  writtenDown?: string,
): Promise<number> {
  const place = writtenDown === undefined ? undefined : readPlace(writtenDown)
  if (place === null || (place && asked === 'all')) {
    say('A place is <sequence>:<hash>, as an earlier run said it of one chain. Name that chain.')
    return 2
  }
  let code = 2
  for await (const [name, { sound, hash, broken }] of chainsOf(asked, place)) {
    code = broken || code === 1 ? 1 : 0
    const end = broken ? `BROKEN at ${broken.sequence}: ${broken.fault}` : 'sound'
    say(`${name}  ${sound} entries, up to ${sound}:${hash}  ${end}`)
  }
  if (code === 2) say(`There is no store "${asked}". Say a store's slug, "platform" or "all".`)
  return code
}

function readPlace(text: string): Place | null {
  const [, sequence = '', hash = ''] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? []
  return hash ? { sequence: BigInt(sequence), hash: Buffer.from(hash, 'hex') } : null
}

if (import.meta.main) {
  process.exitCode = await verifyAudit(process.argv[2] ?? 'all', console.log, process.argv[3])
  await closeDb()
}
