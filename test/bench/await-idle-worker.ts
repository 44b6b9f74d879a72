import { setTimeout as sleep } from 'node:timers/promises'
import { db } from '#shared/platform/db/db.ts'

const POLL_MS = 250
const TIMEOUT_MS = 10 * 60_000

/**
 * Waits until no job is due or runs: the worker has handled the events and mails of what was measured before, and is
 * free for the next figure.
 */
export async function awaitIdleWorker(): Promise<void> {
  for (const end = performance.now() + TIMEOUT_MS; performance.now() < end; await sleep(POLL_MS)) {
    const { rows } = await db().raw<{ rows: { due: number }[] }>(
      `select count(*)::int as due from pgboss.job
       where state = 'active' or (state < 'active' and not blocked and start_after <= pgboss.job_now())`,
    )
    if (rows[0]?.due === 0) return
  }
  throw new Error(`Jobs were still due after ${TIMEOUT_MS / 60_000} minutes`)
}
