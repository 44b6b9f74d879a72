import { db } from '#shared/platform/db/db.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * `store`: compares the books of a store with each other. `gateway`: compares its payments with the payment gateway.
 */
export const BOOKS = ['store', 'gateway'] as const
export type Book = (typeof BOOKS)[number]

/** Records how many differences a comparison has found. */
export async function recordOutcome(tx: StoreTx, book: Book, discrepancies: number): Promise<void> {
  await tx
    .knex('platform_reconciliations')
    .insert({ store_id: tx.storeId, book, discrepancies, checked_at: now() })
    .onConflict(['store_id', 'book'])
    .merge()
}

/** Returns the stores whose last comparison with the gateway has found differences. */
export const findDiscrepantStores = (book: Book): PromiseLike<string[]> =>
  db()('platform_reconciliations').where({ book }).where('discrepancies', '>', 0).pluck('store_id')

export interface OutcomeFigures {
  book: Book
  discrepancies: number
  /** The seconds since the oldest comparison; null without one. */
  oldestSeconds: number | null
}

/** Returns the figures of the last comparisons of each book, added up over all stores. */
export async function readOutcomeFigures(): Promise<OutcomeFigures[]> {
  const { rows } = await db().raw<{ rows: { book: Book; discrepancies: number; oldest: Date }[] }>(
    `select r.book, sum(r.discrepancies)::int as discrepancies, min(r.checked_at) as oldest
     from platform_reconciliations r join stores s on s.id = r.store_id and s.purge_started_at is null
     group by r.book`,
  )
  return BOOKS.map((book) => {
    const found = rows.find((row) => row.book === book)
    const oldestSeconds = found ? (now().getTime() - found.oldest.getTime()) / 1_000 : null
    return { book, discrepancies: found?.discrepancies ?? 0, oldestSeconds }
  })
}
