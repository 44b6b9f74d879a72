import type { PgBoss } from 'pg-boss'
import type { PlatformJobDefinition } from '#shared/platform/jobs/define-job.ts'

/** A job that the clock starts. */
export interface Schedule {
  /** Five fields, UTC. */
  cron: string
  job: PlatformJobDefinition
  payload?: Record<string, unknown>
}

/** Brings the queue's schedules to those of the list: what is no longer on it is started no more. */
export async function syncSchedules(boss: PgBoss, schedules: readonly Schedule[]): Promise<void> {
  const wanted = new Set(schedules.map(({ job }) => job.queue))
  for (const { name } of await boss.getSchedules()) if (!wanted.has(name)) await boss.unschedule(name)
  for (const { cron, job, payload } of schedules) await boss.schedule(job.queue, cron, payload ?? {})
}
