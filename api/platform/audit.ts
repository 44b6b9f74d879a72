import type { Knex } from 'knex'
import { type Actor, toResourceId } from '#shared/audit/entry.ts'
import { recordChange, recordOnPlatform } from '#shared/audit/record-change.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { StoreTx } from '#shared/platform/store-scope.ts'
import { findStaffMember } from '#shared/staff/find-staff-member.ts'
import { findSuperAdminEmail } from '#shared/super-admin/super-admin.ts'
import type { ApiToken, StaffMember, SuperAdmin } from './access.ts'
import { type Subject, subjectOf } from './audit-subject.ts'
import type { Operation, RequestFacts } from './endpoint.ts'
import { operationIdOf } from './operation-id.ts'
import { JsonText, Reply } from './reply.ts'

/** What the audit log takes of a call. */
export interface AuditedCall {
  staff?: StaffMember | ApiToken
  superAdmin?: SuperAdmin
  params?: unknown
  request: RequestFacts
}

/** The transaction of a change: of a store, or of the platform alone. */
export type Within = StoreTx | Knex.Transaction

/** Enters a change in the audit log, in the change's own transaction. */
export type Recorder<T = Within> = (tx: T, outcome: unknown) => Promise<void>

/** To be called first in a change's transaction: it looks at what is to be changed, and returns what enters it. */
export type Audit = (tx: Within, call: AuditedCall) => Promise<Recorder>

const AUDITED: Operation['access']['kind'][] = ['staff', 'super_admin']

/**
 * The audit of an operation; none for one that changes nothing in the admin (decisions, section 4). No operation asks
 * for it, so none can forget it. `before` is what the operation that reads the same resource answers; `after` is what
 * the operation itself does, or else, where that is not the resource, what the read answers now.
 */
export function auditOf(operation: Operation, all: readonly Operation[]): Audit | undefined {
  if (!AUDITED.includes(operation.access.kind) || operation.method === 'get') return undefined
  const subject = subjectOf(operation, all)
  const action = operationIdOf(operation)

  const entry =
    (call: AuditedCall, actor: Actor, before: unknown): Recorder =>
    async (tx, outcome) => {
      const after = subject.isAnswered ? dataOf(outcome) : await look(subject, tx, call)
      const change = {
        action,
        actor,
        ip: call.request.ip,
        requestId: call.request.id,
        resourceType: subject.type,
        resourceId: idOf(subject, call, after),
        before,
        after,
      }
      if (tx instanceof StoreTx) recordChange(tx, change)
      else await recordOnPlatform(tx, change)
    }
  return async (tx, call) => {
    await queueUp(tx, subject, call)
    // Now, for the change may be that this very account ends.
    const actor = await actorOf(tx, call)
    return entry(call, actor, await look(subject, tx, call))
  }
}

// Two who change one resource come one after the other, or `before` could be older than what was changed.
async function queueUp(tx: Within, subject: Subject, call: AuditedCall): Promise<void> {
  if (!subject.read || !(tx instanceof StoreTx)) return
  const name = `audit ${tx.storeId} ${subject.type} ${paramOf(subject, call)}`
  await tx.knex.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [name])
}

/** The resource as an admin reads it; null when it is not there. */
async function look({ read }: Subject, tx: Within, call: AuditedCall): Promise<unknown> {
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

function paramOf({ param }: Subject, { params }: AuditedCall): string | null {
  const id = param ? (params as Record<string, string>)[param] : undefined
  return id === undefined ? null : toResourceId(id)
}

/** Its address says which resource was changed; of one that was created, its own id does. */
function idOf(subject: Subject, call: AuditedCall, after: unknown): string | null {
  const { id } = (after ?? {}) as { id?: unknown }
  return paramOf(subject, call) ?? (typeof id === 'string' ? id : null)
}

async function actorOf(tx: Within, { staff, superAdmin }: AuditedCall): Promise<Actor> {
  if (superAdmin) return superAdmin
  if (!staff || !(tx instanceof StoreTx)) throw new Error('A change that nobody made')
  const { type, id } = staff
  if (staff.type === 'api_token') return { type, id, email: null, sessionId: null }
  if (staff.isSupport)
    return {
      type: 'super_admin',
      id,
      email: await findSuperAdminEmail(tx.knex, id),
      sessionId: staff.sessionId,
    }
  return { type, id, email: (await findStaffMember(tx, id)).email, sessionId: staff.sessionId }
}
