import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { eraseFields } from '#shared/platform/privacy/erase-fields.ts'
import { UnsealError } from '#shared/platform/secrets/seal.ts'
import type { Sealer } from '#shared/platform/secrets/secrets.ts'
import type { ErasureScan, RecordPlace } from './erasure-scan.ts'
import { findIds } from './find-ids.ts'
import { idempotentResponses } from './idempotency-key.ts'

/** Erases a scan's persons from a record's outcome and response, if these contain the id of a record of a person. */
export async function eraseRecord(
  tx: StoreTx,
  { personOf }: Pick<ErasureScan, 'personOf'>,
  [principal, operation, key]: RecordPlace,
): Promise<void> {
  const record = tx.knex('idempotency_keys').where({ store_id: tx.storeId, principal, operation, key })
  const row: Contents | undefined = await record.clone().forUpdate().first('outcome', 'response')
  if (!row) return
  const sealer = idempotentResponses.of({ storeId: tx.storeId, operation, key })
  const [outcome, response] = [row.outcome, row.response].map((sealed) =>
    eraseSealed(sealer, sealed, personOf),
  )
  if (outcome !== row.outcome || response !== row.response) await record.update({ outcome, response })
}

interface Contents {
  outcome: string | null
  response: string | null
}

function eraseSealed(
  sealer: Sealer,
  sealed: string | null,
  personOf: ErasureScan['personOf'],
): string | null {
  const text = sealed && openIfPossible(sealer, sealed)
  if (!text) return sealed
  const named = findIds(text)
    .values()
    .find((id) => personOf.has(id))
  const personId = named && personOf.get(named)
  return personId ? sealer.seal(eraseText(text, personId)) : sealed
}

const eraseText = (text: string, id: string): string => JSON.stringify(eraseStored(JSON.parse(text), id))

// A stored response contains its JSON as text.
function eraseStored(stored: unknown, id: string): unknown {
  if (stored === null || typeof stored !== 'object' || !('text' in stored)) return eraseFields(stored, id)
  const body = stored.text ? JSON.parse(String(stored.text)) : null
  return { ...stored, text: body === null ? stored.text : JSON.stringify(eraseFields(body, id)) }
}

// Without its encryption key, nobody can read the record.
function openIfPossible(sealer: Sealer, sealed: string): string | null {
  try {
    return sealer.open(sealed)
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}
