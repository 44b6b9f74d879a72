import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** A row of a file that is imported: no later row of the file may have its key. */
export interface ClaimedKey {
  /** A SKU, or an e-mail address as addresses are compared. */
  key: string
  /** The thing that the key is a part of; the key itself where it is the whole. */
  owner: string
  line: number
  /** What a dry run, which saves nothing, must know of the row. */
  details: Record<string, string>
}

/** The rows of earlier batches that have one of the keys or of the owners, by line. */
export const findClaimed = (
  tx: StoreTx,
  jobId: string,
  owners: string[],
  keys: string[],
): Promise<ClaimedKey[]> =>
  tx
    .knex('import_keys')
    .where({ store_id: tx.storeId, job_id: jobId })
    .whereRaw('(owner = any(?) or key = any(?))', [owners, keys])
    .orderBy('line')
    .select('key', 'owner', 'line', 'details')

// One value in place of four for each row, which PostgreSQL would parse one by one.
const CLAIM = `
  insert into import_keys (store_id, job_id, key, owner, line, details)
  select cast(? as uuid), cast(? as uuid), r.key, r.owner, r.line, r.details
  from jsonb_to_recordset(cast(? as jsonb)) as r(key text, owner text, line integer, details json)`

export async function claimKeys(tx: StoreTx, jobId: string, rows: ClaimedKey[]): Promise<void> {
  if (rows.length) await tx.knex.raw(CLAIM, [tx.storeId, jobId, JSON.stringify(rows)])
}
