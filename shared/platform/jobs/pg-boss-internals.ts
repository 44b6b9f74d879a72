import { EventEmitter } from 'node:events'
import type { PgBoss } from 'pg-boss'

/*
 * The parts of pg-boss that its public API leaves out. Nothing else may use them;
 * test/shared/platform/jobs/pg-boss-contracts.test.ts fails when an upgrade of pg-boss moves one.
 */

/** Emits the name of a queue when a job was added to it, and `ANY_QUEUE` when notifications may have been lost. */
export type JobNotifications = EventEmitter<Record<string, []>>

export const ANY_QUEUE = '*'

/**
 * Shares pg-boss's LISTEN connection. pg-boss receives a notification for each new job and reconnects when the
 * connection breaks, but forwards notifications only to its own workers. Call this before `boss.start()`.
 */
export function shareJobNotifications(boss: PgBoss): JobNotifications {
  const notifications: JobNotifications = new EventEmitter<Record<string, []>>().setMaxListeners(0)
  const database = boss.getDb()
  const listen = database.listen?.bind(database)
  if (!listen) throw new Error('pg-boss has no LISTEN connection: getDb().listen is missing')
  database.listen = (channel, onNotification, onReconnect) =>
    listen(
      channel,
      (queue) => {
        onNotification(queue)
        notifications.emit(queue)
      },
      () => {
        onReconnect()
        notifications.emit(ANY_QUEUE)
      },
    )
  return notifications
}
