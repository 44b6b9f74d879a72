import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { db } from './db.ts'

const FOLDER = join(import.meta.dirname, '../../../migrations')
const MIGRATION_FILE = /^\d{4}_[\w-]+\.ts$/

/** The migrations that this version of the code knows, in their order. */
export const migrationFiles = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter((file) => MIGRATION_FILE.test(file)).sort()

/** Those that the database has not run: until they are, this version of the code must not serve. */
export async function pendingMigrations(): Promise<string[]> {
  const [known, run] = await Promise.all([migrationFiles(), db()('knex_migrations').pluck<string[]>('name')])
  return known.filter((file) => !run.includes(file))
}
