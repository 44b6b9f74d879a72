import type { PgBoss } from 'pg-boss'
import type { PlatformJobDefinition } from '#shared/platform/jobs/define-job.ts'

/** A recurring job. */
export interface JobSchedule {
  /** Five fields, UTC. */
  cron: string
  job: PlatformJobDefinition
  payload?: Record<string, unknown>
}

/** Replaces the queue's schedules with those of the list. */
export async function syncSchedules(boss: PgBoss, schedules: readonly JobSchedule[]): Promise<void> {
  const listed = new Set(schedules.map(({ job }) => job.queue))
  for (const { name } of await boss.getSchedules()) if (!listed.has(name)) await boss.unschedule(name)
  for (const { cron, job, payload } of schedules) await boss.schedule(job.queue, cron, payload ?? {})
}
