import { db } from '#shared/platform/db/db.ts'

const TABLE = 'gateway_event_cursors'

/** The time up to which the events of a gateway have been read; null when they never were. */
export async function readEventCursor(provider: string): Promise<Date | null> {
  const cursor = await db()(TABLE).where({ provider }).first('read_until as readUntil')
  return cursor?.readUntil ?? null
}

/** Records that the events of a gateway have been read up to a time. */
export const saveEventCursor = (provider: string, readUntil: Date): PromiseLike<unknown> =>
  db()(TABLE).insert({ provider, read_until: readUntil }).onConflict('provider').merge()
