import { type AuditedCaller, callerOf } from '#api/platform/auth/callers.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { dataOf } from '#api/platform/output/reply.ts'
import { toResourceId } from '#shared/audit/entry.ts'
import { lockAllResources, lockResource } from '#shared/audit/lock-resource.ts'
import { recordChange, recordOnPlatform } from '#shared/audit/record-change.ts'
import { recordSupportChange } from '#shared/identity/sessions/support-changes.ts'
import { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { type AuditTx, actorOf } from './audit-actor.ts'
import { auditRead } from './audit-read.ts'
import { type Subject, subjectOf } from './audit-subject.ts'
import type { Audit, AuditedCall } from './recorder.ts'

/**
 * Returns the audit of an operation that declares one. `before` is the response of the operation that reads the same
 * resource. `after` is the response of the operation. If that is not the resource, the resource is read again.
 */
export function startAuditOf(operation: Operation, all: readonly Operation[]): Audit | undefined {
  if (!operation.audit) return undefined
  if (operation.method === 'get') return auditRead(operation, operation.audit)
  const { action, resource: resourceType, erases } = operation.audit
  const subject = subjectOf(operation, all)

  return async (tx, call) => {
    const caller = callerOf(call)
    if (!caller) return undefined
    const id = resourceIdOf(subject, call, caller)
    if (tx instanceof StoreTx) {
      if (erases) await lockAllResources(tx)
      else if (subject.read) await lockResource(tx, resourceType, id)
    }
    // Read the actor first, because the change may remove the actor's account.
    const actor = await actorOf(tx, caller)
    const before = await readSubject(subject, tx, call)
    return async (tx, outcome) => {
      const after = subject.isResponse ? dataOf(outcome) : await readSubject(subject, tx, call)
      const { ip, id: requestId } = call.request
      const resourceId = id ?? createdId(after)
      const content = erases ? { before: null, after: null } : { before, after }
      const change = { action, actor, ip, requestId, resourceType, resourceId, ...content }
      if (tx instanceof StoreTx) {
        if ('isSupport' in caller && caller.isSupport) recordSupportChange(tx, caller.sessionId)
        recordChange(tx, change)
      } else await recordOnPlatform(tx, change)
    }
  }
}

/**
 * Returns the resource as its read operation shows it; null if it does not exist, and for the own account of a
 * super-admin, which that operation does not read.
 */
async function readSubject({ read, isCaller }: Subject, tx: AuditTx, call: AuditedCall): Promise<unknown> {
  if (!read || (isCaller && call.superAdmin)) return null
  try {
    return dataOf(await read.handle({ ...call, tx, query: {}, body: undefined } as never))
  } catch (error) {
    if (error instanceof CodedError) return null
    throw error
  }
}

/** Returns the id of the changed resource from the caller or the path; null if the change creates it. */
function resourceIdOf(
  { param, isCaller }: Subject,
  { params }: AuditedCall,
  caller: AuditedCaller,
): string | null {
  if (isCaller) return caller.id
  const id = param ? (params as Record<string, string>)[param] : undefined
  return id === undefined ? null : toResourceId(id)
}

function createdId(created: unknown): string | null {
  const { id } = (created ?? {}) as { id?: unknown }
  return typeof id === 'string' ? id : null
}
