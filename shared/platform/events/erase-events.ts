import type { StoreTx } from '../db/store-scope.ts'
import { eraseFields } from '../privacy/erase-fields.ts'

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
  // One at a time: a person may have thousands of large ones, which would fill the memory together.
  for (const id of ids) {
    const { data } = await events().where({ id }).first('data')
    await events()
      .where({ id })
      .update({ data: JSON.stringify(eraseFields(data, personId)) })
  }
  return ids
}

/** The e-mail addresses in the events about a resource. */
export async function findFormerEmails(tx: StoreTx, subjectId: string): Promise<string[]> {
  const rows = await tx
    .knex('events')
    .where({ store_id: tx.storeId, subject_id: subjectId })
    .distinct(tx.knex.raw("data ->> 'email' as email"))
  return rows.flatMap(({ email }) => email ?? [])
}
