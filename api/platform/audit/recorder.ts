import type { Callers } from '#api/platform/auth/callers.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { AuditTx } from './audit-actor.ts'

/** The part of a handler's argument that the audit log needs. */
export interface AuditedCall extends Callers {
  params?: unknown
  query?: unknown
  request: RequestInfo
}

/** Records a change in its own transaction. It gets the handler's outcome. */
export type Recorder<T = AuditTx> = (tx: T, outcome: unknown) => Promise<void>

/**
 * Starts the audit of one change. Call it first in the transaction of the change. It reads the resource before the
 * change, and returns the recorder that writes the entry; undefined if the caller is not audited.
 */
export type Audit = (tx: AuditTx, call: AuditedCall) => Promise<Recorder | undefined>
