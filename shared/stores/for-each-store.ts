import { log } from '#shared/platform/log.ts'
import { walkStoreIds } from './list-stores.ts'

/**
 * Does the work of a job for every store, one after the other. A store whose work fails does not stop that of the
 * others: its error is logged, and the first error is thrown after the last store, so that the job is tried again.
 */
export async function forEachStore(
  signal: AbortSignal,
  work: (storeId: string) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = []
  for await (const storeId of walkStoreIds()) {
    signal.throwIfAborted()
    try {
      await work(storeId)
    } catch (error) {
      signal.throwIfAborted()
      log.error({ err: error, storeId }, 'the work for a store failed')
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
