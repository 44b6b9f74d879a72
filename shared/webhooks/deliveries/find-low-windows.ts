import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, namedStatement } from '#shared/platform/db/statement.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { now } from '#shared/platform/time/clock.ts'
import { isWindowLowSql } from './window.ts'

// Deleted webhooks count too, in case the job that fails their deliveries is lost.
const FIND_LOW_WINDOWS = namedStatement(
  'find_low_webhook_windows',
  { at: 'timestamptz' },
  ({ at }) => `select w.id from webhooks w
    where w.store_id = ${CURRENT_STORE} and ${isWindowLowSql('w.id', at, { settled: 0 })}`,
)

/**
 * Returns the ids of the store's webhooks whose window is at most half full while deliveries are held. Call it outside
 * a transaction.
 */
export async function findLowWindows(storeId: string): Promise<string[]> {
  const values = FIND_LOW_WINDOWS.values({ at: toTimestamp(now()) })
  const low = await readInStore(storeId, FIND_LOW_WINDOWS, values)
  return low.flatMap(([webhookId]) => webhookId ?? [])
}
