import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { db } from '#shared/platform/db/db.ts'

const TABLE = 'migration_checksums'

/** Makes the table that says what each migration was when it ran. */
export const createChecksumTable = () =>
  db().raw(`create table if not exists ${TABLE} (file text primary key, checksum text not null)`)

/** Notes down a migration, in the transaction that it runs in. */
export const recordChecksum = async (knex: Knex, file: string): Promise<void> =>
  knex(TABLE).insert({ file, checksum: await checksumOf(file) })

/**
 * Throws when one of the migrations that the database ran is no longer what it was: then the code's tables are not the
 * database's, and nothing would tell before the first query that misses a column.
 */
export async function assertUnchanged(ran: string[]): Promise<void> {
  const kept = new Map<string, string>(
    (await db()(TABLE).select('file', 'checksum')).map(({ file, checksum }) => [file, checksum]),
  )
  for (const file of ran)
    if (kept.get(file) !== (await checksumOf(file)))
      throw new Error(
        `migrations/${file} is not what this database ran. A released migration never changes: restore it, and change the ` +
          'tables by a new one. A database from before the first release is made anew (for `npm start`: delete .sandbox).',
      )
}

async function checksumOf(file: string): Promise<string> {
  const text = await readFile(join(import.meta.dirname, file))
  return createHash('sha256').update(text).digest('hex')
}
