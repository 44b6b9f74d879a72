import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid } from '#shared/platform/validation.ts'

const WELL_KNOWN: ReadonlySet<string> = new Set(Intl.supportedValuesOf('timeZone'))

/**
 * Throws 422 for a name that Node.js or PostgreSQL does not know as a time zone, because both compute the days of a
 * store. Node.js knows old names such as `AET` that PostgreSQL does not.
 */
export async function assertTimeZone(tx: StoreTx, name: string): Promise<void> {
  if (WELL_KNOWN.has(name) || (isKnownToNode(name) && (await isKnownToPostgres(tx, name)))) return
  throw invalid(['time_zone'], 'Use a time zone name such as Europe/Berlin', name)
}

function isKnownToNode(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

async function isKnownToPostgres({ knex }: StoreTx, name: string): Promise<boolean> {
  const found = await knex('pg_timezone_names').whereRaw('lower(name) = lower(?)', [name]).first('name')
  return found !== undefined
}
