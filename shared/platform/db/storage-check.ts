import { db } from './db.ts'

let wasFull = false

/** Records that PostgreSQL had no space left. `assertStorage` finds out when it has space again. */
export function noteFullDisk(): void {
  wasFull = true
}

/**
 * Throws if PostgreSQL had no space left and still cannot write. It tries to write only after `noteFullDisk`, to a
 * temporary table.
 */
export async function assertStorage(): Promise<void> {
  if (!wasFull) return
  await db().transaction(async (knex) => {
    // Insert rows of several pages, so that the table's file must grow.
    await knex.raw(
      `create temporary table storage_check on commit drop as
       select repeat(md5(n::text), 60) as filling from generate_series(1, 100) n`,
    )
  })
  wasFull = false
}
