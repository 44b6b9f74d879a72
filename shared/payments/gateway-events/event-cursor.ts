import { db } from '#shared/platform/db/db.ts'

/** The time up to which the events of a gateway have been read; null when they never were. */
export async function readEventCursor(provider: string): Promise<Date | null> {
  const cursor = await db()('gateway_event_cursors').where({ provider }).first('read_until as readUntil')
  return cursor?.readUntil ?? null
}

/** Records that the events of a gateway have been read up to a time. */
export const saveEventCursor = (provider: string, readUntil: Date): PromiseLike<unknown> =>
  db()('gateway_event_cursors').insert({ provider, read_until: readUntil }).onConflict('provider').merge()
