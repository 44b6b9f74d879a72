import { PgBoss } from 'pg-boss'
import { config, directUrl } from '#shared/platform/config/config.ts'
import type { WorkerRole } from '#shared/platform/config/environment.ts'
import { assertRowSecurityApplies, closeDb } from '#shared/platform/db/db.ts'
import { shareJobNotifications } from '#shared/platform/jobs/pg-boss-internals.ts'
import { closeQueues, queues } from '#shared/platform/jobs/sender.ts'
import { log } from '#shared/platform/log.ts'
import { startMetrics, stopMetrics } from '#shared/platform/metrics/metrics-server.ts'
import { stopListening } from '#shared/platform/notify/listen.ts'
import { stopOnSignal } from '#shared/platform/stop-on-signal.ts'
import '#shared/audit/gauges.ts'
import '#shared/reconciliation/gauges.ts'
import '#shared/webhooks/deliveries/gauges.ts'
import { closeMailGateway } from '#workers/gateways/mail.ts'
import type { JobPoller } from '#workers/platform/job-poller.ts'
import { limitDatabaseUse } from '#workers/platform/limit-database-use.ts'
import { pollQueues } from '#workers/platform/poll-queues.ts'
import { syncSchedules } from '#workers/platform/sync-schedules.ts'
import { handlersByRole } from './handlers.ts'
import { schedules } from './schedules.ts'

const DRAIN_MS = 20_000

// pg-boss deletes ended jobs only in this pass, whose default is once a day. They are kept for an hour.
const MAINTENANCE_SECONDS = 300

/** A worker process. */
export interface Worker {
  boss: PgBoss
  poller: JobPoller
  /** The number of its queues. */
  queues: number
}

/**
 * Starts the worker process. It runs the jobs of its roles, and the schedules of workers/schedules.ts for every role.
 */
export async function startWorker(): Promise<Worker> {
  await assertRowSecurityApplies()
  limitDatabaseUse()
  await queues()
  const boss = new PgBoss({
    connectionString: directUrl(),
    application_name: `${process.env.PROCESS_NAME ?? 'commerce'}-jobs`,
    migrate: false,
    useListenNotify: true,
    monitorIntervalSeconds: 5,
    superviseIntervalSeconds: 5,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
  })
  boss.on('error', (error) => log.error({ err: error }, 'queue failed'))
  const notifications = shareJobNotifications(boss)
  await boss.start()
  await syncSchedules(boss, schedules)
  const handlers = roles().flatMap((role) => handlersByRole[role])
  return { boss, poller: pollQueues(boss, handlers, notifications), queues: handlers.length }
}

/** Returns the roles of this process, each once. */
const roles = (): WorkerRole[] => [...new Set(config().WORKER_QUEUES.split(',') as WorkerRole[])]

/** Stops fetching jobs, finishes the running ones (or leaves them to a retry), and closes all connections. */
async function stopWorker({ boss, poller }: Worker): Promise<void> {
  await poller.stop(DRAIN_MS)
  await boss.stop({ graceful: false })
  closeMailGateway()
  await stopListening()
  await closeQueues()
  await closeDb()
}

if (import.meta.main) {
  const worker = await startWorker()
  const metrics = await startMetrics()
  log.info({ roles: roles(), queues: worker.queues }, 'worker ready')
  stopOnSignal(async () => {
    await stopWorker(worker)
    stopMetrics(metrics)
  })
}
