import { PgBoss } from 'pg-boss'
import { directUrl } from '#shared/platform/config.ts'
import { assertRoleIsBound, closeDb } from '#shared/platform/db.ts'
import { closeQueues, queues } from '#shared/platform/jobs.ts'
import { log } from '#shared/platform/log.ts'
import { stopOnSignal } from '#shared/platform/stop.ts'
import { handlers } from './handlers.ts'
import { runJob } from './platform/handle.ts'

const DRAIN_MS = 20_000
// A wake-up that was lost (the listener reconnecting) costs this long at most.
const POLL_SECONDS = 1

/** Starts the worker process: it takes jobs from every queue. */
export async function startWorker(): Promise<PgBoss> {
  await assertRoleIsBound()
  await queues()
  const boss = new PgBoss({
    connectionString: directUrl(),
    application_name: `${process.env.PROCESS_NAME ?? 'commerce'}-jobs`,
    migrate: false,
    useListenNotify: true,
    monitorIntervalSeconds: 5,
    superviseIntervalSeconds: 5,
  })
  boss.on('error', (error) => log.error({ err: error }, 'queue failed'))
  await boss.start()
  for (const handler of handlers) {
    const { queue, rules } = handler.job
    await boss.work(
      queue,
      {
        localConcurrency: rules.concurrency,
        groupConcurrency: rules.perStore,
        pollingIntervalSeconds: POLL_SECONDS,
        notifyPollingIntervalSeconds: POLL_SECONDS,
        includeMetadata: true,
      },
      async ([job]) => {
        if (job) await runJob(handler, job as never)
      },
    )
  }
  return boss
}

/** Takes no more jobs, finishes those under way (or leaves them to be tried again), and lets go of the database. */
export async function stopWorker(boss: PgBoss): Promise<void> {
  await boss.stop({ graceful: true, timeout: DRAIN_MS })
  await closeQueues()
  await closeDb()
}

if (import.meta.main) {
  const boss = await startWorker()
  log.info({ queues: handlers.length }, 'worker ready')
  stopOnSignal(() => stopWorker(boss))
}
