import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** An imported row of a file. No later row of the file may have its key. */
export interface ClaimedKey {
  /** A SKU, or a normalized e-mail address. */
  key: string
  /** The key of the row's record, e.g. the slug of the product that has the SKU. */
  record: string
  line: number
  /** The part of the row that later batches of a dry run need. A dry run saves no records. */
  details: Record<string, string>
}

/** Returns the rows of earlier batches with one of the keys or records, by line. */
export const findClaimed = (
  tx: StoreTx,
  jobId: string,
  records: string[],
  keys: string[],
): Promise<ClaimedKey[]> =>
  tx
    .knex('import_keys')
    .where({ store_id: tx.storeId, job_id: jobId })
    .whereRaw('(record = any(?) or key = any(?))', [records, keys])
    .orderBy('line')
    .select('key', 'record', 'line', 'details')

// Each row is one value instead of four, because PostgreSQL parses values one by one.
const CLAIM = `
  insert into import_keys (store_id, job_id, key, record, line, details)
  select cast(? as uuid), cast(? as uuid), r.key, r.record, r.line, r.details
  from jsonb_to_recordset(cast(? as jsonb)) as r(key text, record text, line integer, details json)`

export async function claimKeys(tx: StoreTx, jobId: string, rows: ClaimedKey[]): Promise<void> {
  if (rows.length) await tx.knex.raw(CLAIM, [tx.storeId, jobId, JSON.stringify(rows)])
}
