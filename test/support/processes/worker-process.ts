import '#test/support/database.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { allJobs } from '#shared/all-jobs.ts'
import { db } from '#shared/platform/db/db.ts'
import { queues } from '#shared/platform/jobs/sender.ts'

/** Starts a worker process on this file's database, by default for all jobs; resolves when it accepts jobs. */
export async function startWorkerProcess(
  t: TestContext,
  env: Record<string, string> = {},
): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['workers/main.ts'], {
    env: { ...process.env, LOG_LEVEL: 'info', PROCESS_NAME: 'worker', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => killWorker(child))
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) if (chunk.includes('worker ready')) break
  child.stdout?.resume()
  return child
}

/** Kills a worker without a shutdown, as a lost machine would. */
export async function killWorker(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Runs the queue's check for lost workers now: their jobs are queued for a retry. */
export async function missHeartbeats(): Promise<void> {
  await db().raw("update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'")
  const boss = await queues()
  await db().raw('update pgboss.queue set monitor_claim_on = null, monitor_on = null')
  for (const { queue } of allJobs) await boss.supervise(queue)
  await db().raw("update pgboss.job set start_after = now() where state = 'retry'")
}
