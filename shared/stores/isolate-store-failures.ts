import { db } from '#shared/platform/db/db.ts'
import { log } from '#shared/platform/log.ts'

/** Runs the work for one store. Returns its result, or undefined if it failed. */
export type RunForStore = <T>(storeId: string, work: () => PromiseLike<T>) => Promise<T | undefined>

const MAX_NAMED = 5
const MAX_MESSAGE_LENGTH = 200

interface Failure {
  storeId: string
  error: unknown
}

/** Thrown after the last store if the work for some of them failed. */
export class StoreFailures extends Error {
  override name = 'StoreFailures'
  /** All failed stores. The message names the first of them. */
  readonly storeIds: readonly string[]

  constructor(failures: readonly Failure[], storeIds: readonly string[]) {
    const named = failures.map(({ storeId, error }) => `${storeId}: ${messageOf(error)}`).join('; ')
    const more = storeIds.length > failures.length ? '; …' : ''
    super(`The work failed ${storeIds.length} times, for these stores: ${named}${more}`, {
      cause: failures[0]?.error,
    })
    this.storeIds = storeIds
  }
}

/**
 * Runs a job over several stores. The job calls `runForStore` for each store in turn. An error of one store is logged
 * and does not stop the others. After the last store it throws `StoreFailures`, which names the failed stores, so
 * that the job is retried. It throws immediately if the database does not respond, or when `signal` aborts.
 */
export async function isolateStoreFailures<T>(
  job: (runForStore: RunForStore) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const failures: Failure[] = []
  const failed: string[] = []
  const result = await job(async (storeId, work) => {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      await assertDatabaseResponds(error)
      log.error({ err: error, storeId }, 'the work for a store failed')
      failed.push(storeId)
      if (failures.length < MAX_NAMED) failures.push({ storeId, error })
      return undefined
    }
  })
  if (failed.length > 0) throw new StoreFailures(failures, failed)
  return result
}

/** Throws `error` if PostgreSQL does not respond. Then the work for every other store would fail, too. */
async function assertDatabaseResponds(error: unknown): Promise<void> {
  try {
    await db().raw('select 1')
  } catch {
    throw error
  }
}

// The message of a database error begins with its statement, so its end says most.
const messageOf = (error: unknown): string =>
  String((error as Error | undefined)?.message ?? error)
    .replaceAll(/\s+/g, ' ')
    .slice(-MAX_MESSAGE_LENGTH)
