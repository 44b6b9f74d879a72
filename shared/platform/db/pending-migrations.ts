import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { db } from './db.ts'

const FOLDER = join(import.meta.dirname, '../../../migrations')
const MIGRATION_FILE = /^\d{4}_[\w-]+\.ts$/

/** The migration files of this version, in order. */
export const migrationFiles = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter((file) => MIGRATION_FILE.test(file)).sort()

/** Migrations that the database has not run. This version must not serve requests until it has. */
export async function pendingMigrations(): Promise<string[]> {
  const [known, run] = await Promise.all([migrationFiles(), db()('knex_migrations').pluck<string[]>('name')])
  return known.filter((file) => !run.includes(file))
}
