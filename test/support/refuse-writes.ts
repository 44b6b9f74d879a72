import pg from 'pg'
import { superuserDatabaseUrl } from './database.ts'

/** Makes every write to a table fail while `work` runs: what a worker would have written there never was. */
export async function whileRefusingWrites(table: string, work: () => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: superuserDatabaseUrl })
  await admin.connect()
  await admin.query(`
    create function die() returns trigger language plpgsql as $$ begin raise 'the worker died'; end $$;
    create trigger die before insert on ${table} execute function die()`)
  try {
    await work()
  } finally {
    await admin.query('drop function die cascade')
    await admin.end()
  }
}
