import { setImmediate } from 'node:timers/promises'
import type { StoreTx } from '../db/store-scope.ts'
import { eraseFields } from '../privacy/erase-fields.ts'
import { UnsealError } from '../secrets/seal.ts'
import { idempotentResponses } from './idempotency-key.ts'

interface Person {
  /** The name of the person as a caller. */
  principal: string
  id: string
  /** Texts that show that a response is about the person: ids and addresses. */
  marks: readonly string[]
}

/**
 * Deletes the idempotency records of a person's own requests, and erases the person from the stored responses to
 * others. Their keys stay in use: a repeat must not make a change again.
 */
export async function eraseResponses(tx: StoreTx, { principal, id, marks }: Person): Promise<void> {
  const records = () => tx.knex('idempotency_keys').where('store_id', tx.storeId)
  await records().where({ principal }).delete()
  for await (const row of readRecords(tx)) {
    const sealer = idempotentResponses.of({ storeId: tx.storeId, operation: row.operation, key: row.key })
    const erase = (sealed: string | null) => {
      const text = sealed && openIfPossible(sealer, sealed)
      if (!text || !marks.some((mark) => text.toLowerCase().includes(mark))) return sealed
      return sealer.seal(JSON.stringify(eraseStored(JSON.parse(text), id)))
    }
    const [outcome, response] = [erase(row.outcome), erase(row.response)]
    if (outcome !== row.outcome || response !== row.response)
      await records()
        .where({ principal: row.principal, operation: row.operation, key: row.key })
        .update({ outcome, response })
  }
}

interface KeyRecord {
  principal: string
  operation: string
  key: string
  outcome: string | null
  response: string | null
}

// The length of a text is known without reading it.
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

/**
 * All records of the store with an outcome or a response. A store has many, and each may be large: one, or a mebibyte
 * of small ones, is held at a time, and other work comes between any two of them.
 */
async function* readRecords(tx: StoreTx): AsyncGenerator<KeyRecord> {
  for (let after = ['', '', '']; ; ) {
    const { rows } = await tx.knex.raw<{ rows: KeyRecord[] }>(NEXT_RECORDS, [tx.storeId, ...after])
    for (const row of rows) {
      yield row
      await setImmediate()
    }
    const last = rows.at(-1)
    if (!last) return
    after = [last.principal, last.operation, last.key]
  }
}

// A response holds its JSON as text.
function eraseStored(stored: unknown, id: string): unknown {
  if (stored === null || typeof stored !== 'object' || !('text' in stored)) return eraseFields(stored, id)
  const body = stored.text ? JSON.parse(String(stored.text)) : null
  return { ...stored, text: body === null ? stored.text : JSON.stringify(eraseFields(body, id)) }
}

// A key that was removed: nobody can read the record.
function openIfPossible(sealer: { open(sealed: string): string }, sealed: string): string | null {
  try {
    return sealer.open(sealed)
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}
