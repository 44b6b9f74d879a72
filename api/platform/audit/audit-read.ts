import { type AuditedCaller, callerOf } from '#api/platform/auth/callers.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { dataOf } from '#api/platform/output/reply.ts'
import { wasRecorded } from '#shared/audit/read-store-log.ts'
import { recordChange, recordOnPlatform } from '#shared/audit/record-change.ts'
import { CsvFile } from '#shared/platform/csv/csv-file.ts'
import { StoreTx } from '#shared/platform/db/store-scope.ts'
import { useUpQuotaIn } from '#shared/platform/throttle/quota.ts'
import { DAY_MS, HOUR_MS } from '#shared/platform/time/clock.ts'
import { type AuditTx, actorOf } from './audit-actor.ts'
import { resourceIdInPath } from './audit-subject.ts'
import type { Audit, AuditedCall } from './recorder.ts'

/**
 * A read is logged once a staff member, with all own API tokens, has read this many records of personal data within 24
 * hours.
 */
const BULK_RECORDS = 1_000

/**
 * Returns the audit of an operation that reads personal data. Entries name the read, without the data. It records every
 * read of a support session, every export, the first read of a super-admin within an hour, and the read with which a
 * staff member reaches `BULK_RECORDS` within 24 hours, over all sessions and API tokens.
 */
export function auditRead(operation: Operation, audit: NonNullable<Operation['audit']>): Audit {
  return async (_tx, call) => {
    const caller = callerOf(call)
    if (!caller) return undefined
    return async (tx, outcome) => {
      const records = countRecords(outcome)
      const resourceId = resourceIdInPath(operation, call.params)
      const read = { action: audit.action, resourceId, records, isExport: isExport(audit, outcome) }
      const reason = await reasonOf(tx, caller, read)
      if (!reason) return
      const { ip, id: requestId } = call.request
      const entry = {
        action: audit.action,
        actor: await actorOf(tx, caller),
        ip,
        requestId,
        resourceType: audit.resource,
        resourceId,
        before: null,
        after: { read: reason, records, filters: filtersOf(call) },
      }
      if (tx instanceof StoreTx) recordChange(tx, entry)
      else await recordOnPlatform(tx, entry)
    }
  }
}

interface Read {
  action: string
  resourceId: string | null
  records: number
  isExport: boolean
}

type Reason = 'super_admin' | 'support' | 'export' | 'bulk'

async function reasonOf(tx: AuditTx, caller: AuditedCaller, read: Read): Promise<Reason | null> {
  const { records, isExport } = read
  if (caller.type === 'super_admin') return (await isRecorded(tx, caller.id, read)) ? null : 'super_admin'
  if (!(tx instanceof StoreTx)) throw new Error('An audited read of personal data by staff needs a StoreTx')
  if ('isSupport' in caller && caller.isSupport) return 'support'
  if (isExport) return 'export'
  if (records === 0) return null
  // Count by person, because anyone can create more tokens.
  const person = 'createdBy' in caller ? caller.createdBy : caller.id
  const subject = `personal data ${tx.storeId} staff ${person}`
  return (await useUpQuotaIn(tx, subject, { limit: BULK_RECORDS, units: records, windowMs: DAY_MS }))
    ? 'bulk'
    : null
}

/** Whether the same read is already recorded. Otherwise each page of the log would add an entry to the log. */
const isRecorded = (tx: AuditTx, actorId: string, { action, resourceId }: Read): Promise<boolean> =>
  wasRecorded(tx.knex, { actorId, action, resourceId, storeId: tx.storeId }, HOUR_MS)

const isExport = ({ isExport: always }: NonNullable<Operation['audit']>, outcome: unknown): boolean =>
  always === true || outcome instanceof CsvFile

/** Returns the number of records in a file, list or report; 1 for any other response. */
function countRecords(outcome: unknown): number {
  if (outcome instanceof CsvFile) return outcome.totalRows
  const data = dataOf(outcome)
  const rows = (data as { rows?: unknown } | null)?.rows ?? data
  return Array.isArray(rows) ? rows.length : 1
}

/** Returns the names of the query parameters. Their values may be personal data, such as a searched name. */
const filtersOf = ({ query }: AuditedCall): string[] => Object.keys(query ?? {}).sort()
