import { type Chain, platformChain, storeChain } from '#shared/audit/chain.ts'
import type { ChainPosition } from '#shared/audit/proof.ts'
import { type Verdict, verifyChain } from '#shared/audit/verify-chain.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { RunForStore } from '#shared/stores/isolate-store-failures.ts'
import { listStoreSlugs } from '#shared/stores/list-stores.ts'
import type { Anchor } from './anchors.ts'

export interface AuditLog {
  /** The store's id, or `platform`. */
  chain: string
  /** The store's slug, or `platform`. */
  name: string
}

const PLATFORM: AuditLog = { chain: 'platform', name: 'platform' }

/** Lists audit logs: that of a store by its slug, `platform`, or `all`. */
export async function listLogs(target: string): Promise<AuditLog[]> {
  if (target === 'platform') return [PLATFORM]
  const stores = await listStoreSlugs(target === 'all' ? undefined : target)
  const logs = stores.map(({ id, slug }) => ({ chain: id, name: slug }))
  return target === 'all' ? [PLATFORM, ...logs] : logs
}

export interface VerifiedLog extends AuditLog {
  verdict: Verdict
  /** The log's last anchor. */
  anchor: Anchor | undefined
  /** Whether it was verified from its first entry on. */
  isWhole: boolean
}

interface Verification {
  runForStore: RunForStore
  /** The last anchor of each log. */
  anchors: ReadonlyMap<string, Anchor>
  /** A position that an earlier run has printed. */
  checkpoint?: ChainPosition | undefined
  /** Whether to verify a log from its first entry on. The others are verified from their anchor on. */
  isWhole: (chain: string) => boolean
  signal?: AbortSignal
}

/** Verifies audit logs one after the other, each in `runForStore`. */
export async function* verifyLogs(
  logs: readonly AuditLog[],
  { runForStore, anchors, checkpoint, isWhole, signal }: Verification,
): AsyncGenerator<VerifiedLog> {
  for (const log of logs) {
    const anchor = anchors.get(log.chain)
    const whole = !anchor || isWhole(log.chain)
    const known = whole ? { checkpoints: [anchor, checkpoint] } : { start: anchor, checkpoints: [checkpoint] }
    const verdict = await runForStore(log.chain, () =>
      inChain(log, (chain) => verifyChain(chain, { ...known, signal })),
    )
    if (verdict && !(await isPurged(log, verdict))) yield { ...log, verdict, anchor, isWhole: whole }
  }
}

const inChain = ({ chain }: AuditLog, work: (chain: Chain) => Promise<Verdict>): Promise<Verdict> =>
  chain === PLATFORM.chain ? work(platformChain(db())) : inStore(chain, (tx) => work(storeChain(tx)))

/** Whether a purge began during the verification, and deletes the log. */
const isPurged = async ({ chain, name }: AuditLog, { broken }: Verdict): Promise<boolean> =>
  broken !== null && chain !== PLATFORM.chain && (await listStoreSlugs(name)).length === 0
