import { inStore } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { markSlow, SLOW_MS } from '#shared/webhooks/health/record-health.ts'

/** Runs a request, and marks its webhook as slow as soon as the request is. */
export async function markIfSlow<T>(
  storeId: string,
  webhookId: string,
  request: () => Promise<T>,
): Promise<T> {
  let marking: Promise<void> | undefined
  const slowTimer = setTimeout(() => {
    marking = tryMarkSlow(storeId, webhookId)
  }, SLOW_MS)
  try {
    return await request()
  } finally {
    clearTimeout(slowTimer)
    await marking
  }
}

const tryMarkSlow = (storeId: string, webhookId: string) =>
  inStore(storeId, (tx) => markSlow(tx, webhookId)).catch((error) =>
    log.warn({ err: error, storeId }, 'could not mark a webhook as slow'),
  )
