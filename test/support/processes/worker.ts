import { after, before } from 'node:test'
import '#test/support/database.ts'
import { PgBoss } from 'pg-boss'
import { directUrl } from '#shared/platform/config/config.ts'
import { shareJobNotifications } from '#shared/platform/jobs/pg-boss-internals.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { handlers } from '#workers/handlers.ts'
import type { Handler } from '#workers/platform/handle.ts'
import { pollQueues } from '#workers/platform/poll-queues.ts'

interface Ending {
  after(end: () => Promise<void>): void
}

/** Runs jobs in this process by the real clock until `stop` or the end of the test (with `{ after }`: of the file). */
export async function runWorker(t: Ending, of: readonly Handler[] = handlers) {
  await queues()
  const boss = new PgBoss({
    connectionString: directUrl(),
    migrate: false,
    supervise: false,
    schedule: false,
    useListenNotify: true,
  })
  boss.on('error', () => {})
  const notifications = shareJobNotifications(boss)
  await boss.start()
  const poller = pollQueues(boss, of, notifications)
  let stopped: Promise<void> | undefined
  const stop = (drainMs = 5_000) => {
    stopped ??= poller.stop(drainMs).then(() => boss.stop({ graceful: false }))
    return stopped
  }
  t.after(() => stop())
  return { boss, stop }
}

/** Runs jobs as above from the first to the last test of the file that calls it. */
export function runWorkerDuringTests(of: readonly Handler[]): void {
  let stop: (() => Promise<void>) | undefined
  before(async () => {
    const worker = await runWorker({ after: () => {} }, of)
    stop = () => worker.stop()
  })
  after(() => stop?.())
}
