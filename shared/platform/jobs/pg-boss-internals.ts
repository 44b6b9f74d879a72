import { EventEmitter } from 'node:events'
import type { PgBoss } from 'pg-boss'

/** Says, by a queue's name, that a job was put in it; `*` when the listener may have missed some. */
export type JobNotifications = EventEmitter<Record<string, []>>

export const ANY_QUEUE = '*'

/**
 * Shares the queue's own listener: pg-boss hears of each new job on one LISTEN connection, which it mends by itself,
 * but tells none but the workers it runs. Call it before `boss.start()`.
 */
export function shareJobNotifications(boss: PgBoss): JobNotifications {
  const wakeUps: JobNotifications = new EventEmitter<Record<string, []>>().setMaxListeners(0)
  const database = boss.getDb()
  const listen = database.listen?.bind(database)
  if (!listen) throw new Error('The queue has no LISTEN connection')
  database.listen = (channel, onNotification, onReconnect) =>
    listen(
      channel,
      (queue) => {
        onNotification(queue)
        wakeUps.emit(queue)
      },
      () => {
        onReconnect()
        wakeUps.emit(ANY_QUEUE)
      },
    )
  return wakeUps
}
