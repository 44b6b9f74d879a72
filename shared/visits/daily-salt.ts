import { randomBytes } from 'node:crypto'
import { db } from '#shared/platform/db/db.ts'
import { executeOnPlatform } from '#shared/platform/db/pipelined-query.ts'
import type { Statement } from '#shared/platform/db/statement.ts'
import { DAY_MS, now } from '#shared/platform/time/clock.ts'

// All processes of the service share the salt of a day. The first process that needs it creates it.
const CLAIM_SALT: Statement = {
  name: 'claim_visitor_salt',
  text: `
  with created as (
    insert into visitor_salts (day, salt) values ($1::date, decode($2, 'hex')) on conflict do nothing returning salt)
  select encode(salt, 'hex') from created
  union all
  select encode(salt, 'hex') from visitor_salts where day = $1::date`,
}

const SALT_BYTES = 32

/** Days differ between time zones, so up to three are in use. */
const MAX_DAYS = 3

const salts = new Map<string, Buffer>()

/** Returns the salt of a day (YYYY-MM-DD). It costs one round trip for each day and process. */
export async function saltOf(day: string): Promise<Buffer> {
  const known = salts.get(day)
  if (known) return known
  const salt = await claimSalt(day)
  salts.set(day, salt)
  for (const old of [...salts.keys()].slice(0, -MAX_DAYS)) salts.delete(old)
  return salt
}

/**
 * Returns or creates the salt of a day. It runs again if another process creates the salt, because only the next
 * statement sees that.
 */
async function claimSalt(day: string): Promise<Buffer> {
  for (;;) {
    const [row] = await executeOnPlatform(CLAIM_SALT, [day, randomBytes(SALT_BYTES).toString('hex')])
    if (row?.[0]) return Buffer.from(row[0], 'hex')
  }
}

/**
 * Deletes the salts of days that are over in every time zone, so that nobody can compute the visitors' hashes again.
 */
export async function purgeSalts(): Promise<void> {
  // A day ends last at UTC−12.
  const lastDay = new Date(now().getTime() - DAY_MS / 2).toISOString().slice(0, 10)
  await db()('visitor_salts').where('day', '<', lastDay).delete()
  for (const day of salts.keys()) if (day < lastDay) salts.delete(day)
}
