import type { Knex } from 'knex'
import { toResourceId } from '#shared/audit/entry.ts'
import { recordChange, recordOnPlatform } from '#shared/audit/record-change.ts'
import { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { JsonText, Reply } from '../output/reply.ts'
import type { Operation, RequestInfo } from '../pipeline/endpoint.ts'
import { actorOf, type Caller, type Callers, callerOf } from './audit-actor.ts'
import { type Subject, subjectOf } from './audit-subject.ts'

/** What the audit log takes of a call. */
export interface AuditedCall extends Callers {
  params?: unknown
  request: RequestInfo
}

/** The transaction of a change: of a store, or of the platform alone. */
export type AuditTx = StoreTx | Knex.Transaction

/** Enters a change in the audit log, in the change's own transaction. */
export type Recorder<T = AuditTx> = (tx: T, outcome: unknown) => Promise<void>

/**
 * To be called first in a change's transaction: it looks at what is to be changed, and returns what enters it. Nothing
 * enters what a customer changes, or nobody known.
 */
export type Audit = (tx: AuditTx, call: AuditedCall) => Promise<Recorder | undefined>

/**
 * The audit of an operation that declares one (decisions, section 4). `before` is the response of the operation that
 * reads the same resource. `after` is the response of the operation; if that is not the resource, it is read again.
 */
export function auditOf(operation: Operation, all: readonly Operation[]): Audit | undefined {
  if (!operation.audit) return undefined
  const { action, resource: resourceType } = operation.audit
  const subject = subjectOf(operation, all)

  return async (tx, call) => {
    const caller = callerOf(call)
    if (!caller) return undefined
    const id = resourceIdOf(subject, call, caller)
    await lockSubject(tx, resourceType, subject, id)
    // Now, for the change may be that this very account ends.
    const actor = await actorOf(tx, caller)
    const before = await readSubject(subject, tx, call)
    return async (within, outcome) => {
      const after = subject.isAnswered ? dataOf(outcome) : await readSubject(subject, within, call)
      const { ip, id: requestId } = call.request
      const resourceId = id ?? ownIdOf(after)
      const change = { action, actor, ip, requestId, resourceType, resourceId, before, after }
      if (within instanceof StoreTx) recordChange(within, change)
      else await recordOnPlatform(within, change)
    }
  }
}

// Without the lock, `before` of one change could be older than the change before it.
async function lockSubject(tx: AuditTx, type: string, { read }: Subject, id: string | null): Promise<void> {
  if (!read || !(tx instanceof StoreTx)) return
  const name = `audit ${tx.storeId} ${type} ${id}`
  await tx.knex.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [name])
}

/** The resource as an admin reads it; null when it is not there. */
async function readSubject({ read }: Subject, tx: AuditTx, call: AuditedCall): Promise<unknown> {
  if (!read) return null
  try {
    return dataOf(await read.handle({ ...call, tx, query: {}, body: undefined } as never))
  } catch (error) {
    if (error instanceof CodedError) return null
    throw error
  }
}

function dataOf(outcome: unknown): unknown {
  const data = outcome instanceof Reply ? outcome.data : outcome
  return data instanceof JsonText ? JSON.parse(data.text) : data
}

/** The id of what is changed, as far as it is known before: by who calls, or by the address. */
function resourceIdOf({ param, isCaller }: Subject, { params }: AuditedCall, caller: Caller): string | null {
  if (isCaller) return caller.id
  const id = param ? (params as Record<string, string>)[param] : undefined
  return id === undefined ? null : toResourceId(id)
}

/** The id that a resource got as it was created. */
function ownIdOf(created: unknown): string | null {
  const { id } = (created ?? {}) as { id?: unknown }
  return typeof id === 'string' ? id : null
}
