import { fromKnex } from 'pg-boss'
import type { PlatformTx } from '#shared/platform/db/store-scope.ts'
import { DEAD_LETTERS } from './define-job.ts'
import { assertQueue } from './queue-status.ts'
import { queues } from './sender.ts'

/**
 * Puts dead letters back into their queue with all retries: those with `ids`, or else the oldest. Returns their number.
 * Throws `queue.not_found`.
 */
export async function redriveDeadLetters(
  { knex }: PlatformTx,
  queue: string,
  { ids, limit }: { ids?: string[] | undefined; limit: number },
): Promise<number> {
  await assertQueue(knex, queue)
  const boss = await queues()
  return boss.redrive(DEAD_LETTERS, { sourceName: queue, limit, ...(ids ? { ids } : {}), db: fromKnex(knex) })
}
