import type { AuditTx } from '#api/platform/audit/audit-actor.ts'
import type { Audit, AuditedCall, Recorder } from '#api/platform/audit/recorder.ts'
import type { Access } from '#api/platform/auth/access.ts'
import { type Callers, type CustomerCaller, callerOf } from '#api/platform/auth/callers.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { holdActiveCustomer } from '#shared/customers/account/hold-active-customer.ts'
import { inPlatform, inStore, StoreTx } from '#shared/platform/db/store-scope.ts'
import { limitStoredBytes, type StoringSender } from '#shared/platform/throttle/limit-stored-bytes.ts'

/** The argument of `handle` and `respond`. Each operation's declaration has its exact type. */
export type CallContext = Record<string, unknown>

/** An operation with its audit. The audit is derived once from the list of all operations. */
export interface AuditedOperation extends Operation {
  startAudit: Audit | undefined
}

interface RunOptions {
  /** Authenticates the caller again. Throws the refusal. */
  reauthenticate: () => Promise<unknown>
  /** Records the outcome for the request's Idempotency-Key. */
  record?: Recorder<StoreTx>
}

/** The kinds of access by a session or token, which can be revoked while a handler waits. */
const NEEDS_CREDENTIALS: ReadonlySet<Access['kind']> = new Set([
  'customer',
  'staff',
  'account',
  'super_admin',
])

/** Runs the handler in a transaction of its store. Cached reads need none: they make one round trip. */
export async function runOperation(
  operation: AuditedOperation,
  storeId: string | null,
  call: CallContext,
  { reauthenticate, record }: RunOptions,
): Promise<unknown> {
  if (operation.cached) return handle(operation, call)
  const wrapWork = withRecordsAndLimits(operation, call, record)
  if (!storeId || operation.transaction === 'manual') {
    const hasCaller = operation.access.kind !== 'open'
    const mustRecord = (hasCaller && operation.startAudit !== undefined) || record !== undefined
    return runManaged(operation, call, { wrapWork, mustRecord, reauthenticate })
  }
  return inStore(
    storeId,
    wrapWork((tx) => handle(operation, { ...call, tx })),
  )
}

const handle = (operation: Operation, call: CallContext) =>
  operation.csv && (call.request as RequestInfo).wantsCsv
    ? operation.csv(call as never)
    : operation.handle(call as never)

type WrapWork = <Tx extends AuditTx, T>(work: (tx: Tx) => Promise<T>, as?: Callers) => (tx: Tx) => Promise<T>

/** Returns the sender for whom a call stores bytes. */
export const senderOf = (call: CallContext): StoringSender =>
  callerOf(call as Callers) === undefined ? { ip: (call.request as RequestInfo).ip } : 'staff'

/** Returns the id of the customer who makes a call, or who changes an own account; undefined for other callers. */
function customerOf(call: CallContext): string | undefined {
  const { customer, account } = call as Pick<Callers, 'account'> & { customer?: CustomerCaller | null }
  return customer?.id ?? (account?.type === 'customer' ? account.id : undefined)
}

/**
 * Returns a function that adds to the work of a call's transaction: the audit entry, the idempotency record, and the
 * limit of stored bytes. A customer's change waits for an erasure of the account, and fails after it.
 */
function withRecordsAndLimits(
  { startAudit, access, method }: AuditedOperation,
  call: CallContext,
  record?: Recorder<StoreTx>,
): WrapWork {
  const customerId = method === 'get' ? undefined : customerOf(call)
  return (work, as) => async (tx) => {
    const callAs = { ...call, ...as }
    if (customerId && tx instanceof StoreTx) await holdActiveCustomer(tx, customerId)
    const outcome = await runAudited(tx, work, startAudit, callAs)
    if (tx instanceof StoreTx) {
      await record?.(tx, outcome)
      limitBytes(tx, access, callAs)
    }
    return outcome
  }
}

/** Does the work of a transaction, and writes its audit entry. */
async function runAudited<Tx extends AuditTx, T>(
  tx: Tx,
  work: (tx: Tx) => Promise<T>,
  startAudit: Audit | undefined,
  call: CallContext,
): Promise<T> {
  const writeEntry = await startAudit?.(tx, call as unknown as AuditedCall)
  const outcome = await work(tx)
  await writeEntry?.(tx, outcome)
  return outcome
}

/** Limits the bytes that a call stores: at least the body, which most changes store. */
function limitBytes(tx: StoreTx, { kind }: Access, call: CallContext): void {
  tx.noteStored((call.request as RequestInfo).bodyBytes)
  // Do not limit the payment gateway: it reports on all stores from few addresses, signed and without a caller.
  if (kind !== 'open') limitStoredBytes(tx, senderOf(call))
}

interface ManagedOptions extends Pick<RunOptions, 'reauthenticate'> {
  wrapWork: WrapWork
  /**
   * Whether the handler must make its change by `unitOfWork`, because otherwise the change would be neither audited nor
   * recorded.
   */
  mustRecord: boolean
}

/** Runs a handler that opens its own transactions. */
async function runManaged(
  operation: AuditedOperation,
  call: CallContext,
  { wrapWork, mustRecord, reauthenticate }: ManagedOptions,
): Promise<unknown> {
  // The session or right may be revoked while the handler waits for a file, a name server or another system. Check
  // again, but only once, because the change itself may end the caller's session.
  let authenticated: Promise<unknown> | undefined
  const assertStillAuthenticated = async () => {
    if (NEEDS_CREDENTIALS.has(operation.access.kind)) authenticated ??= reauthenticate()
    await authenticated
  }
  let isRecorded = false
  const recorded: WrapWork = (work, as) => async (tx) => {
    isRecorded = true
    return wrapWork(work, as)(tx)
  }
  const unitOfWork: UnitOfWork = {
    async inStore(id, work, as) {
      await assertStillAuthenticated()
      return inStore(id, recorded(work, as))
    },
    async inPlatform(work, as) {
      await assertStillAuthenticated()
      return inPlatform(recorded(work, as))
    },
  }
  const outcome = await handle(operation, { ...call, unitOfWork })
  if (mustRecord && !isRecorded) throw new Error(`${operation.path} made its change outside its unit of work`)
  return outcome
}
