import type { Knex } from 'knex'
import { inPlatform, inStore, StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Audit, AuditedCall, AuditTx, Recorder } from '../audit/audit.ts'
import type { Callers } from '../audit/audit-actor.ts'
import type { Access } from '../auth/access.ts'
import type { Operation } from './endpoint.ts'

/** What `handle` and `answer` take; each operation's own types stand in its declaration. */
export type CallContext = Record<string, unknown>

/** An operation with the audit of what it changes, found once among all operations. */
export interface AuditedOperation extends Operation {
  startAudit: Audit | undefined
}

/**
 * The transaction that makes an operation's change, for a handler that opens it itself once it has waited for what is
 * slow. The change is entered in the audit log there, and answered once a key: both stand or fall with it. `as` says who
 * makes it where no access does: whoever a link or token in the body is of.
 */
export interface UnitOfWork {
  inStore<T>(storeId: string, work: (tx: StoreTx) => Promise<T>, as?: Callers): Promise<T>
  inPlatform<T>(work: (knex: Knex.Transaction) => Promise<T>, as?: Callers): Promise<T>
}

interface Terms {
  /** Lets the caller in once more, or throws the refusal. */
  reauthenticate: () => Promise<unknown>
  record?: Recorder<StoreTx>
}

/** Access by a session or a token, which others may end while a handler waits. */
const TAKES_CREDENTIALS: ReadonlySet<Access['kind']> = new Set([
  'customer',
  'staff',
  'account',
  'super_admin',
])

/** Runs the handler in its store's transaction, but for one that opens its own and for kept reads: one round trip. */
export async function runOperation(
  operation: AuditedOperation,
  storeId: string | null,
  call: CallContext,
  { reauthenticate: admitAnew, record }: Terms,
): Promise<unknown> {
  if (operation.cached) return handle(operation, call)
  const noted = withAudit(operation, call, record)
  if (!storeId || operation.transaction === 'manual') {
    const isNamed = operation.access.kind !== 'open'
    const mustNote = (isNamed && operation.startAudit !== undefined) || record !== undefined
    return runManaged(operation, call, { noted, mustNote, reauthenticate: admitAnew })
  }
  return inStore(
    storeId,
    noted((tx) => handle(operation, { ...call, tx })),
  )
}

const handle = (operation: Operation, call: CallContext) => operation.handle(call as never)

type Noted = <Tx extends AuditTx, T>(work: (tx: Tx) => Promise<T>, as?: Callers) => (tx: Tx) => Promise<T>

/** Does the work, and notes in its transaction what has to be known of it: what it changed, and what it answers. */
function withAudit({ startAudit }: AuditedOperation, call: CallContext, record?: Recorder<StoreTx>): Noted {
  return (work, as) => async (tx) => {
    const enter = await startAudit?.(tx, { ...(call as unknown as AuditedCall), ...as })
    const outcome = await work(tx)
    await enter?.(tx, outcome)
    if (tx instanceof StoreTx) await record?.(tx, outcome)
    return outcome
  }
}

async function runManaged(
  operation: AuditedOperation,
  call: CallContext,
  {
    noted,
    mustNote,
    reauthenticate: admitAnew,
  }: Pick<Terms, 'reauthenticate'> & { noted: Noted; mustNote: boolean },
): Promise<unknown> {
  // However long the handler waited for a file, a name server or another system: who was signed out meanwhile, or lost
  // the right, changes nothing any more. Asked once, for a change may itself end what its caller came by.
  let admitted: Promise<unknown> | undefined
  const admitStill = async () => {
    if (TAKES_CREDENTIALS.has(operation.access.kind)) admitted ??= admitAnew()
    await admitted
  }
  let isNoted = false
  const notedHere: Noted = (work, as) => async (tx) => {
    isNoted = true
    return noted(work, as)(tx)
  }
  const ownUnit: UnitOfWork = {
    async inStore(id, work, as) {
      await admitStill()
      return inStore(id, notedHere(work, as))
    },
    async inPlatform(work, as) {
      await admitStill()
      return inPlatform(notedHere(work, as))
    },
  }
  const outcome = await handle(operation, { ...call, unitOfWork: ownUnit })
  if (mustNote && !isNoted) throw new Error(`${operation.path} made its change elsewhere than in OwnChange`)
  return outcome
}
