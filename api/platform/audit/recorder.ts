import type { Callers } from '../auth/callers.ts'
import type { RequestInfo } from '../operation/request-info.ts'
import type { AuditTx } from './audit-actor.ts'

/** The part of a handler's argument that the audit log needs. */
export interface AuditedCall extends Callers {
  params?: unknown
  query?: unknown
  request: RequestInfo
}

/** Records a change in the change's own transaction, given the handler's outcome. */
export type Recorder<T = AuditTx> = (tx: T, outcome: unknown) => Promise<void>

/**
 * Starts the audit of one change: call it first in the change's transaction. It reads the resource as it is before the
 * change and returns the recorder that writes the entry; undefined when the caller is not audited.
 */
export type Audit = (tx: AuditTx, call: AuditedCall) => Promise<Recorder | undefined>
