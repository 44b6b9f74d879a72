import { db } from '#shared/platform/db/db.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { until } from '#test/support/races/until.ts'

type Within<Tx> = (work: (tx: Tx) => Promise<void>) => Promise<void>

/** A transaction that has done its work and waits for the test to commit it. */
export async function pending<Tx = StoreTx>(within: Within<Tx>, work: (tx: Tx) => Promise<unknown>) {
  const isDone = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const done = within(async (tx) => {
    await work(tx)
    isDone.resolve()
    await mayCommit.promise
  })
  await isDone.promise
  return { done, commit: mayCommit.resolve }
}

const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

/** Polls until a transaction of this database waits for another's lock. */
export const untilOneWaits = (): Promise<void> => untilSomeWait(1)

/** Polls until this many transactions of this database wait for locks. */
export const untilSomeWait = (howMany: number): Promise<void> =>
  until(
    `${howMany} transactions wait for a lock`,
    async () => (await db().raw(WAITING)).rows.length >= howMany,
  )
