import type { PlatformTx, StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type Chain, hashEntry, platformChain, storeChain } from './chain.ts'
import { type AuditEntry, type AuditedChange, toColumns } from './entry.ts'
import { lockHead, signNextProof } from './head.ts'
import { redactChange } from './redact-change.ts'
import { sealContent } from './sealed-content.ts'

/**
 * Records a change in the store's audit log, in the transaction of the change. The end of the chain is locked right
 * before the commit, so changes wait for each other as briefly as possible. A super-admin's change is recorded in the
 * platform's log as well.
 */
export function recordChange(tx: StoreTx, change: AuditedChange): void {
  tx.beforeCommit('audit', () => append(tx, change), 'end of the audit log')
}

async function append(tx: StoreTx, change: AuditedChange): Promise<void> {
  const content = await sealContent(tx, redactContent(change))
  await appendEntry(storeChain(tx), { ...change, ...content }, tx.storeId)
  if (change.actor.type === 'super_admin')
    await appendEntry(platformChain(tx.knex), { ...change, ...content }, tx.storeId)
}

/** Records a change that concerns no store in the platform's log. Call it last in the transaction. */
export const recordOnPlatform = ({ knex }: PlatformTx, change: AuditedChange): Promise<void> =>
  appendEntry(platformChain(knex), { ...change, ...redactContent(change), sealed: null }, null)

const redactContent = ({ resourceType, resourceId, before, after }: AuditedChange) => ({
  resourceType,
  resourceId,
  ...redactChange({ before, after }, resourceType),
})

/** Appends an entry to a chain. `storeId` is the store that the change concerns, if any. */
async function appendEntry(
  chain: Chain,
  { actor, ...change }: AuditedChange & Pick<AuditEntry, 'sealed'>,
  storeId: string | null,
): Promise<void> {
  const head = await lockHead(chain)
  const entry = {
    ...change,
    storeId,
    sequence: head.sequence + 1n,
    createdAt: now(),
    actorType: actor.type,
    actorId: actor.id,
    actorEmail: actor.email,
    sessionId: actor.sessionId,
    previousHash: head.hash,
  }
  const hash = hashEntry(chain.name, entry)
  const next = signNextProof(chain.name, head, { sequence: entry.sequence, hash })
  await insertEntry(chain, { ...entry, hash, ...next.entry }, next.end)
}

/** Inserts the entry and updates the chain's end in one statement. */
async function insertEntry(
  { knex, entries, heads, own }: Chain,
  entry: AuditEntry,
  end: object,
): Promise<void> {
  const moved = knex(heads).where(own).update(end)
  await knex.with('moved', moved).insert(toColumns(entry)).into(entries)
}
