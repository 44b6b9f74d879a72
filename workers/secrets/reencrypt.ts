import { allSecrets } from '#shared/all-secrets.ts'
import { renewProof } from '#shared/audit/head.ts'
import { closeDb } from '#shared/platform/db/db.ts'
import { countExpiringSecrets, reencryptKind } from '#shared/platform/secrets/reencrypt-secrets.ts'
import { newestKeyId, UnsealError } from '#shared/platform/secrets/seal.ts'
import { type Owner, owners } from './owners.ts'
import { Tally } from './tally.ts'

type Say = (line: string) => void

const AUDIT_LOGS = 'ends of audit logs'
const PROGRESS_MS = 5_000

/**
 * `npm run secrets:reencrypt`: has the newest of ENCRYPTION_KEYS take over whatever an older one holds, so that the older
 * one can go: kept secrets are encrypted anew, audit logs proven anew. It opens what the newest key holds already, too,
 * so a last run shows that nothing is missing. It can run beside a service whose processes all have the newest key first,
 * be stopped, and be run again. Returns 1 when something does not open, which it names.
 */
export async function reencryptSecrets(say: Say, progressMs = PROGRESS_MS): Promise<number> {
  const tallies = new Map(
    [AUDIT_LOGS, ...allSecrets.map(({ kind }) => kind)].map((kind) => [kind, new Tally()]),
  )
  const tallyOf = (kind: string) => tallies.get(kind) ?? new Tally()
  let said = performance.now()
  for await (const owner of owners())
    for await (const [kind, found] of renewAll(owner)) {
      tallyOf(kind).add(found)
      if (performance.now() - said < progressMs) continue
      say(`${renewedOf(tallies)} renewed so far, at ${owner.name} …`)
      said = performance.now()
    }
  return report(tallies, say)
}

/** What an owner's secrets are found to be, bit by bit. */
async function* renewAll(owner: Owner): AsyncGenerator<[kind: string, found: Partial<Tally>]> {
  for (const secrets of allSecrets.filter(({ storage }) => storage?.scope === owner.scope)) {
    for await (const batch of reencryptKind(secrets, owner)) yield [secrets.kind, batch]
    yield [secrets.kind, await countExpiringSecrets(secrets, owner)]
  }
  yield [AUDIT_LOGS, await renewAuditLog(owner)]
}

async function renewAuditLog(owner: Owner): Promise<Partial<Tally>> {
  try {
    const outcome = await owner.withChain(renewProof)
    if (outcome === 'broken') return { broken: [owner.name] }
    return outcome ? { [outcome]: 1 } : {}
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    return { unopened: [error.message] }
  }
}

const renewedOf = (tallies: Map<string, Tally>): number =>
  [...tallies.values()].reduce((sum, { renewed }) => sum + renewed, 0)

function report(tallies: Map<string, Tally>, say: Say): number {
  for (const [kind, { renewed, current, unopened }] of tallies)
    if (renewed || current || unopened.length)
      say(`${kind}: ${renewed} renewed, ${current} were already, ${unopened.length} do not open`)
  const all = [...tallies.values()]
  const unopened = all.flatMap((tally) => tally.unopened)
  for (const line of unopened) say(`DOES NOT OPEN  ${line}`)
  // That one can be mended by no key; where it broke is told best while the keys of its entries are there.
  for (const name of all.flatMap((tally) => tally.broken))
    say(`BROKEN  the audit log of ${name}: see \`npm run audit:verify\` before a key goes`)
  for (const [kind, { passing, until }] of tallies)
    if (passing) say(`${kind}: ${passing} by an older key, the last ends by ${until?.toISOString()}`)
  say(conclusion(all))
  return unopened.length ? 1 : 0
}

function conclusion(tallies: Tally[]): string {
  if (tallies.some(({ unopened }) => unopened.length))
    return 'Keep every key: put back what is missing, and run this again.'
  if (tallies.some(({ passing }) => passing))
    return 'Keep the older keys until those have ended by themselves: run this again then.'
  return `Nothing needs a key but "${newestKeyId()}": the others can go.`
}

if (import.meta.main) {
  process.exitCode = await reencryptSecrets(console.log)
  await closeDb()
}
