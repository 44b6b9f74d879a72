import { allSecrets } from '#shared/all-secrets.ts'
import { renewProof } from '#shared/audit/head.ts'
import { closeDb } from '#shared/platform/db/db.ts'
import { countExpiringSecrets, reencryptKind } from '#shared/platform/secrets/reencrypt-kind.ts'
import { newestKeyId, UnsealError } from '#shared/platform/secrets/seal.ts'
import { isolateStoreFailures, StoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { type ReencryptedScope, scopes } from '#workers/secrets/scopes.ts'
import { Tally } from '#workers/secrets/tally.ts'

type Print = (line: string) => void

const AUDIT_LOGS = 'ends of audit logs'
const PROGRESS_MS = 5_000

/**
 * `npm run secrets:reencrypt`: re-encrypts every secret, and signs every audit log, with the newest of ENCRYPTION_KEYS,
 * so that older keys can be removed. It also decrypts the secrets of the newest key, so that a last run proves that
 * none is lost. Run it once every process lists the newest key first. It can run beside the service, and you can stop
 * and repeat it. A store that fails does not stop the others. Returns 1 if a secret cannot be decrypted or a store
 * failed, and names them.
 */
export async function reencryptSecrets(print: Print, progressMs = PROGRESS_MS): Promise<number> {
  const tallies = new Map(
    [AUDIT_LOGS, ...allSecrets.map(({ kind }) => kind)].map((kind) => [kind, new Tally()]),
  )
  let printedAt = performance.now()
  const failed = await forEachScope(async (scope) => {
    for await (const [kind, found] of renewAll(scope)) {
      tallyOf(tallies, kind).add(found)
      if (performance.now() - printedAt < progressMs) continue
      print(`${renewedOf(tallies)} re-encrypted so far, at ${scope.name} …`)
      printedAt = performance.now()
    }
  })
  return report(tallies, failed, print)
}

/** Runs the work for the platform and for each store. Returns the names of those for which it failed. */
async function forEachScope(work: (scope: ReencryptedScope) => Promise<void>): Promise<readonly string[]> {
  try {
    await isolateStoreFailures(async (runForStore) => {
      for await (const scope of scopes()) await runForStore(scope.name, () => work(scope))
    })
    return []
  } catch (error) {
    if (error instanceof StoreFailures) return error.storeIds
    throw error
  }
}

function tallyOf(tallies: ReadonlyMap<string, Tally>, kind: string): Tally {
  const tally = tallies.get(kind)
  if (!tally) throw new Error(`The kind of secret ${kind} has no tally`)
  return tally
}

/** Re-encrypts the secrets of a scope in batches and yields the counts of each. */
async function* renewAll(scope: ReencryptedScope): AsyncGenerator<[kind: string, found: Partial<Tally>]> {
  for (const secrets of allSecrets.filter(({ storage }) => storage?.scope === scope.kind)) {
    for await (const batch of reencryptKind(secrets, scope)) yield [secrets.kind, batch]
    yield [secrets.kind, await countExpiringSecrets(secrets, scope)]
  }
  yield [AUDIT_LOGS, await renewAuditLog(scope)]
}

async function renewAuditLog(scope: ReencryptedScope): Promise<Partial<Tally>> {
  try {
    const outcome = await scope.withChain(renewProof)
    if (outcome === 'broken') return { broken: [scope.name] }
    return outcome ? { [outcome]: 1 } : {}
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    return { unopened: [error.message] }
  }
}

const renewedOf = (tallies: Map<string, Tally>): number =>
  [...tallies.values()].reduce((sum, { renewed }) => sum + renewed, 0)

function report(tallies: Map<string, Tally>, failed: readonly string[], print: Print): number {
  for (const [kind, { renewed, current, unopened }] of tallies)
    if (renewed || current || unopened.length)
      print(`${kind}: ${renewed} re-encrypted, ${current} current, ${unopened.length} cannot be decrypted`)
  const all = [...tallies.values()]
  const unopened = all.flatMap((tally) => tally.unopened)
  for (const line of unopened) print(`CANNOT DECRYPT  ${line}`)
  for (const name of failed)
    print(`FAILED  ${name}: some of its secrets still use an older key; the log has its error`)
  // A key cannot repair a broken log, but the keys of its entries help to find the broken entry.
  for (const name of all.flatMap((tally) => tally.broken))
    print(`BROKEN  the audit log of ${name}: run \`npm run audit:verify\` before you remove a key`)
  for (const [kind, { expiring, until }] of tallies)
    if (expiring) print(`${kind}: ${expiring} use an older key; the last expires at ${until?.toISOString()}`)
  print(conclusion(all, failed.length))
  return unopened.length || failed.length ? 1 : 0
}

function conclusion(tallies: Tally[], failedCount: number): string {
  if (failedCount)
    return `Keep every key: ${failedCount} failed. Remove the cause of each error, then repeat this command.`
  if (tallies.some(({ unopened }) => unopened.length))
    return 'Keep every key. Add the missing keys again, then repeat this command.'
  if (tallies.some(({ expiring }) => expiring))
    return 'Keep the older keys until these secrets have expired, then repeat this command.'
  return `Only the key "${newestKeyId()}" is in use: you can remove the others.`
}

if (import.meta.main) {
  process.exitCode = await reencryptSecrets(console.log)
  await closeDb()
}
