import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { db } from '#shared/platform/db/db.ts'

const TABLE = 'migration_checksums'

/** Creates the table of the checksum of each migration when it ran. */
export const createChecksumTable = () =>
  db().raw(`create table if not exists ${TABLE} (file text primary key, checksum text not null)`)

/** Records a migration's checksum in the migration's transaction. */
export const recordChecksum = async (knex: Knex, file: string): Promise<void> =>
  knex(TABLE).insert({ file, checksum: await checksumOf(file) })

/**
 * Throws when a migration changed after the database ran it: the database would lack the change, and the first query of
 * a missing column would fail.
 */
export async function assertUnchanged(ran: string[]): Promise<void> {
  const recorded = new Map<string, string>(
    (await db()(TABLE).select('file', 'checksum')).map(({ file, checksum }) => [file, checksum]),
  )
  for (const file of ran)
    if (recorded.get(file) !== (await checksumOf(file)))
      throw new Error(
        `migrations/${file} has changed since this database ran it. Restore the file and add a new migration instead. ` +
          'Before the first release, create the database anew (for `npm start`: delete .sandbox).',
      )
}

async function checksumOf(file: string): Promise<string> {
  const text = await readFile(join(import.meta.dirname, file))
  return createHash('sha256').update(text).digest('hex')
}
