import { platformChain, storeChain } from '#shared/audit/chain.ts'
import { type Verdict, verifyChain } from '#shared/audit/verify-chain.ts'
import { closeDb, db } from '#shared/platform/db.ts'
import { inStore } from '#shared/platform/store-scope.ts'

/** The audit chains that are asked for: a store's by its slug, `platform`, or `all`. */
async function* chainsOf(asked: string): AsyncGenerator<[name: string, verdict: Verdict]> {
  if (asked === 'platform' || asked === 'all') yield ['platform', await verifyChain(platformChain(db()))]
  if (asked === 'platform') return
  const stores = db()('stores').orderBy('slug').select('id', 'slug')
  for (const { id, slug } of await (asked === 'all' ? stores : stores.where('slug', asked)))
    yield [slug, await inStore(id, (tx) => verifyChain(storeChain(tx)))]
}

/**
 * `npm run audit:verify -- <store's slug | platform | all>`: says of each chain whether it is sound, else the first
 * broken link. The last hash is worth keeping elsewhere: a later run that names another for the same sequence was
 * shown another chain. Exits 1 when one is broken, 2 when there is no such chain.
 */
export async function verifyAudit(asked: string, say: (line: string) => void): Promise<number> {
  let code = 2
  for await (const [name, { sound, hash, broken }] of chainsOf(asked)) {
    code = broken || code === 1 ? 1 : 0
    const end = broken ? `BROKEN at ${broken.sequence}: ${broken.fault}` : 'sound'
    say(`${name}  ${sound} entries, last hash ${hash}  ${end}`)
  }
  if (code === 2) say(`There is no store "${asked}". Say a store's slug, "platform" or "all".`)
  return code
}

if (import.meta.main) {
  process.exitCode = await verifyAudit(process.argv[2] ?? 'all', console.log)
  await closeDb()
}
