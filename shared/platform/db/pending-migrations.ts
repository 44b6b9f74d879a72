import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { db } from './db.ts'

const FOLDER = join(import.meta.dirname, '../../../migrations')
const MIGRATION_FILE = /^\d{4}_[\w-]+\.ts$/

/** Returns the migration files of this version, in order. */
export const migrationFiles = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter((file) => MIGRATION_FILE.test(file)).sort()

/** Returns the migrations that the database has not run. This version must not serve requests before they have run. */
export async function pendingMigrations(): Promise<string[]> {
  const [known, run] = await Promise.all([migrationFiles(), db()('knex_migrations').pluck<string[]>('name')])
  return known.filter((file) => !run.includes(file))
}
