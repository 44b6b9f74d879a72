import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { eraseFields } from '#shared/platform/privacy/erase-fields.ts'

/**
 * Erases personal data from all events about these resources, published or not. Webhooks that are still to be sent read
 * the erased form. Returns the ids of the events.
 */
export async function eraseEvents(
  tx: StoreTx,
  subjectIds: readonly string[],
  personId: string,
): Promise<string[]> {
  const events = () => tx.knex('events').where('store_id', tx.storeId)
  const ids: string[] = await events().whereIn('subject_id', subjectIds).pluck('id')
  // Read one event at a time: a person may have thousands of large events, which would fill the memory.
  for (const id of ids) {
    const { data } = await events().where({ id }).first('data')
    await events()
      .where({ id })
      .update({ data: JSON.stringify(eraseFields(data, personId)) })
  }
  return ids
}
