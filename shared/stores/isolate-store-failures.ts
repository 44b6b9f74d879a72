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

/**
 * Runs a job over several stores. The job calls `runForStore` for each store in turn. An error of one store is logged
 * and does not stop the others. After the last store it throws an error that names the failed stores, so that the job
 * is retried. It throws immediately if the database does not respond, or when `signal` aborts.
 */
export async function isolateStoreFailures<T>(
  job: (runForStore: RunForStore) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const failures: Failure[] = []
  let count = 0
  const result = await job(async (storeId, work) => {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      await assertDatabaseResponds(error)
      log.error({ err: error, storeId }, 'the work for a store failed')
      count += 1
      if (failures.length < MAX_NAMED) failures.push({ storeId, error })
      return undefined
    }
  })
  if (failures.length > 0) throw summaryOf(failures, count)
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

function summaryOf(failures: readonly Failure[], count: number): Error {
  const named = failures.map(({ storeId, error }) => `${storeId}: ${messageOf(error)}`).join('; ')
  const more = count > failures.length ? '; …' : ''
  const [first] = failures
  return new Error(`The work failed ${count} times, for these stores: ${named}${more}`, {
    cause: first?.error,
  })
}

// The message of a database error begins with its statement, so its end says most.
const messageOf = (error: unknown): string =>
  String((error as Error | undefined)?.message ?? error)
    .replaceAll(/\s+/g, ' ')
    .slice(-MAX_MESSAGE_LENGTH)
