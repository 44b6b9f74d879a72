import { db } from '#shared/platform/db/db.ts'

/** Returns the time up to which the notifications of a gateway have been read; null before the first time. */
export async function readNotificationCursor(provider: string): Promise<Date | null> {
  const cursor = await db()('notification_cursors').where({ provider }).first('read_until as readUntil')
  return cursor?.readUntil ?? null
}

/** Records that the notifications of a gateway have been read up to a time. */
export const saveNotificationCursor = (provider: string, readUntil: Date): PromiseLike<unknown> =>
  db()('notification_cursors').insert({ provider, read_until: readUntil }).onConflict('provider').merge()
