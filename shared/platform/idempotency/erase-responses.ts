import { setImmediate } from 'node:timers/promises'
import { Type } from 'typebox'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { eraseFields } from '#shared/platform/privacy/erase-fields.ts'
import { UnsealError } from '#shared/platform/secrets/seal.ts'
import { idempotentResponses } from './idempotency-key.ts'

/**
 * The job that erases a person from a store's stored responses. It reads all of them, which takes half a minute for
 * some 600 MB, so that no request waits for it.
 */
export const eraseResponses = defineJob(
  'erase-responses',
  { personId: Uuid, recordIds: Type.Array(Uuid) },
  { concurrency: 4, perStore: 1, expireInSeconds: 3600 },
)

/**
 * Deletes the stored responses to a person's own requests, and enqueues the job that erases the person from those to
 * others. The keys of others stay in use, so that a repeat does not make the change again.
 */
export async function eraseResponsesAbout(
  tx: StoreTx,
  { principal, personId, recordIds }: { principal: string; personId: string; recordIds: readonly string[] },
): Promise<void> {
  await keysOf(tx).where({ principal }).delete()
  await enqueue(tx, eraseResponses, { personId, recordIds: [...recordIds] })
}

const keysOf = (tx: StoreTx) => tx.knex('idempotency_keys').where('store_id', tx.storeId)

/** The place of a record in the sequence in which the job reads them. */
export type RecordPlace = readonly [principal: string, operation: string, key: string]

export const FIRST_PLACE: RecordPlace = ['', '', '']

/**
 * Reads the next stored responses after a place, and erases a person from those that contain an id of the person's
 * records. Returns the place of the last response that it read, or null at the end.
 */
export async function eraseNextResponses(
  tx: StoreTx,
  { personId, recordIds }: { personId: string; recordIds: ReadonlySet<string> },
  after: RecordPlace,
): Promise<RecordPlace | null> {
  const { rows } = await tx.knex.raw<{ rows: KeyRecord[] }>(NEXT_RECORDS, [tx.storeId, ...after])
  for (const row of rows) {
    await eraseRecord(tx, row, (text) => (namesRecord(text, recordIds) ? eraseText(text, personId) : text))
    await setImmediate()
  }
  const last = rows.at(-1)
  return last ? [last.principal, last.operation, last.key] : null
}

async function eraseRecord(tx: StoreTx, row: KeyRecord, erase: (text: string) => string): Promise<void> {
  const { principal, operation, key } = row
  const sealer = idempotentResponses.of({ storeId: tx.storeId, operation, key })
  const erased = (sealed: string | null) => {
    const text = sealed && openIfPossible(sealer, sealed)
    const rest = text && erase(text)
    return rest === text ? sealed : rest && sealer.seal(rest)
  }
  const [outcome, response] = [erased(row.outcome), erased(row.response)]
  if (outcome !== row.outcome || response !== row.response)
    await keysOf(tx).where({ principal, operation, key }).update({ outcome, response })
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

function namesRecord(text: string, recordIds: ReadonlySet<string>): boolean {
  for (const [id] of text.matchAll(ID)) if (recordIds.has(id)) return true
  return false
}

interface KeyRecord {
  principal: string
  operation: string
  key: string
  outcome: string | null
  response: string | null
}

// The job holds one large record, or 1 MiB of small ones, at a time, and lets other work run between two of them.
// PostgreSQL knows the length of a text without reading it.
const NEXT_RECORDS = `
  select principal, operation, key, outcome, response from (
    select b.*, row_number() over places as place,
      sum(coalesce(octet_length(outcome), 0) + coalesce(octet_length(response), 0)) over places as bytes
    from (
      select principal, operation, key, outcome, response from idempotency_keys
      where store_id = ? and (outcome is not null or response is not null) and (principal, operation, key) > (?, ?, ?)
      order by principal, operation, key limit 50) b
    window places as (order by principal, operation, key)) sized
  where place = 1 or bytes <= ${1024 * 1024}
  order by principal, operation, key`

const eraseText = (text: string, id: string): string => JSON.stringify(eraseStored(JSON.parse(text), id))

// A stored response contains its JSON as text.
function eraseStored(stored: unknown, id: string): unknown {
  if (stored === null || typeof stored !== 'object' || !('text' in stored)) return eraseFields(stored, id)
  const body = stored.text ? JSON.parse(String(stored.text)) : null
  return { ...stored, text: body === null ? stored.text : JSON.stringify(eraseFields(body, id)) }
}

// If the key was removed, nobody can read the record.
function openIfPossible(sealer: { open(sealed: string): string }, sealed: string): string | null {
  try {
    return sealer.open(sealed)
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}
