import { db } from './db.ts'

let wasFull = false

/** Remembers that PostgreSQL had no space left, until `assertStorage` finds that it has. */
export function noteFullDisk(): void {
  wasFull = true
}

/** Throws when PostgreSQL had no space left and cannot write yet. It writes only in that case, and keeps nothing. */
export async function assertStorage(): Promise<void> {
  if (!wasFull) return
  await db().transaction(async (knex) => {
    // Rows of several pages: the table's file must grow.
    await knex.raw(
      `create temporary table storage_check on commit drop as
       select repeat(md5(n::text), 60) as filling from generate_series(1, 100) n`,
    )
  })
  wasFull = false
}
