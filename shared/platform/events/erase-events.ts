import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { eraseFields } from '#shared/platform/privacy/erase-fields.ts'
import { slicesOf } from '#shared/platform/slices-of.ts'

/**
 * Erases personal data from all events about these resources, published or not. Webhooks that are still to be sent read
 * the erased form. Returns the ids of the events.
 */
export async function eraseEvents(
  tx: StoreTx,
  subjectIds: readonly string[],
  personId: string,
): Promise<string[]> {
  const ids: string[] = []
  for (const subjects of slicesOf(subjectIds, SUBJECTS_AT_ONCE))
    ids.push(...(await findEventIds(tx, subjects)))
  for (const batch of slicesOf(ids, BATCH_SIZE)) await eraseBatch(tx, batch, personId)
  return ids
}

// The ids of all events of a person with 100,000 orders are more data than one statement may return.
const SUBJECTS_AT_ONCE = 1_000

const findEventIds = (tx: StoreTx, subjectIds: string[]): Promise<string[]> =>
  tx.knex('events').where('store_id', tx.storeId).whereRaw('subject_id = any(?)', [subjectIds]).pluck('id')

// A person may have tens of thousands of events. One statement for each would hold the locks of the change too long.
const BATCH_SIZE = 100

/** Erases small events together, and each larger one alone, because a batch of large ones would fill the memory. */
async function eraseBatch(tx: StoreTx, ids: readonly string[], personId: string): Promise<void> {
  const small = await readData(tx, ids, AND_IS_SMALL)
  await writeData(tx, small, personId)
  const smallIds = new Set(small.map(({ id }) => id))
  for (const id of ids) {
    if (smallIds.has(id)) continue
    await writeData(tx, await readData(tx, [id]), personId)
  }
}

interface EventData {
  id: string
  data: unknown
}

const AND_IS_SMALL = `and octet_length(data::text) <= ${16 * 1024}`

async function readData(tx: StoreTx, ids: readonly string[], condition = ''): Promise<EventData[]> {
  const { rows } = await tx.knex.raw<{ rows: EventData[] }>(
    `select id, data from events where store_id = ? and id = any(?) ${condition}`,
    [tx.storeId, [...ids]],
  )
  return rows
}

async function writeData(tx: StoreTx, events: readonly EventData[], personId: string): Promise<void> {
  await tx.knex.raw(
    `update events e set data = erased.data::jsonb
     from unnest(?::uuid[], ?::text[]) erased (id, data)
     where e.store_id = ? and e.id = erased.id`,
    [
      events.map(({ id }) => id),
      events.map(({ data }) => JSON.stringify(eraseFields(data, personId))),
      tx.storeId,
    ],
  )
}
