import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** A row of a file that is imported: no later row of the file may have its key. */
export interface ClaimedKey {
  /** A SKU, or an e-mail address as addresses are compared. */
  key: string
  /** The key of the record that the row is about, e.g. the slug of the product of a SKU. */
  record: string
  line: number
  /** The part of the row that a dry run, which saves nothing, remembers. */
  details: Record<string, string>
}

/** The rows of earlier batches that have one of the keys or of the records, by line. */
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

// One value in place of four for each row, which PostgreSQL would parse one by one.
const CLAIM = `
  insert into import_keys (store_id, job_id, key, record, line, details)
  select cast(? as uuid), cast(? as uuid), r.key, r.record, r.line, r.details
  from jsonb_to_recordset(cast(? as jsonb)) as r(key text, record text, line integer, details json)`

export async function claimKeys(tx: StoreTx, jobId: string, rows: ClaimedKey[]): Promise<void> {
  if (rows.length) await tx.knex.raw(CLAIM, [tx.storeId, jobId, JSON.stringify(rows)])
}
