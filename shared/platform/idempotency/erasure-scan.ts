import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** The place of a record in the sequence in which a scan reads the records. */
export type RecordPlace = readonly [principal: string, operation: string, key: string]

const FIRST_PLACE: RecordPlace = ['', '', '']

// A scan notes its place after each batch. A killed scan repeats only the batch.
const BATCH_SIZE = 200
const MAX_PERSONS = 100

/** One pass over a store's stored responses, which erases several persons. */
export interface ErasureScan {
  erasureIds: string[]
  /** The id of the person, by the id of each record of the person. */
  personOf: ReadonlyMap<string, string>
  /** The scan has passed the records up to this place. */
  place: RecordPlace
}

interface ErasureRow {
  id: string
  person_id: string
  record_ids: string[]
  place: string[]
}

const erasuresOf = (tx: StoreTx) => tx.knex('response_erasures').where('store_id', tx.storeId)

/** Resumes the scan of a killed job, or starts one for the waiting persons. Returns null if nobody is to be erased. */
export async function resumeOrStartScan(tx: StoreTx): Promise<ErasureScan | null> {
  const started: ErasureRow[] = await erasuresOf(tx).whereNotNull('place')
  const erasures = started.length ? started : await startScan(tx)
  const [first] = erasures
  if (!first) return null
  return {
    erasureIds: erasures.map(({ id }) => id),
    personOf: new Map(erasures.flatMap((row) => row.record_ids.map((id) => [id, row.person_id]))),
    place: first.place as unknown as RecordPlace,
  }
}

const startScan = (tx: StoreTx): PromiseLike<ErasureRow[]> =>
  erasuresOf(tx)
    .whereIn('id', erasuresOf(tx).orderBy('id').limit(MAX_PERSONS).select('id'))
    .update({ place: [...FIRST_PLACE] })
    .returning('*')

interface FoundRecords {
  /** The records of the batch that contain the id of a record of a person. */
  naming: RecordPlace[]
  /** The last record of the batch; null at the end. */
  last: RecordPlace | null
}

// The ids of the persons' records stay in PostgreSQL: of 100 persons with 1,000 orders each they are 3.6 MB. A join
// finds them by a hash. With `exists`, PostgreSQL would compare each id in a stored response with all of them.
const NEXT_RECORDS = `
  with batch as materialized (
    select principal, operation, key, named_ids from idempotency_keys
    where store_id = ? and (principal, operation, key) > (?, ?, ?)
    order by principal, operation, key limit ${BATCH_SIZE}),
  erased as (
    select unnest(record_ids) as id from response_erasures where store_id = ? and id = any(?::uuid[]))
  select principal, operation, key, count(erased.id) > 0 as "isNaming"
  from batch left join lateral unnest(named_ids) named (id) on true left join erased on erased.id = named.id
  group by principal, operation, key order by principal, operation, key`

/** Finds the next records to erase after a place, without reading their contents. */
export async function findNextRecords(
  tx: StoreTx,
  { erasureIds }: ErasureScan,
  after: RecordPlace,
): Promise<FoundRecords> {
  type Row = Record<'principal' | 'operation' | 'key', string> & { isNaming: boolean }
  const values = [tx.storeId, ...after, tx.storeId, erasureIds]
  const { rows } = await tx.knex.raw<{ rows: Row[] }>(NEXT_RECORDS, values)
  const placeOf = ({ principal, operation, key }: Row): RecordPlace => [principal, operation, key]
  const last = rows[BATCH_SIZE - 1]
  return { naming: rows.filter(({ isNaming }) => isNaming).map(placeOf), last: last ? placeOf(last) : null }
}

/** Notes that the scan has passed the records up to a place. */
export const notePlace = (
  tx: StoreTx,
  { erasureIds }: ErasureScan,
  place: RecordPlace,
): PromiseLike<unknown> =>
  erasuresOf(tx)
    .whereIn('id', erasureIds)
    .update({ place: [...place] })

/** Ends a scan that has passed all records. */
export const endScan = (tx: StoreTx, { erasureIds }: ErasureScan): PromiseLike<unknown> =>
  erasuresOf(tx).whereIn('id', erasureIds).delete()
