import { superuser } from '#test/support/database.ts'

/** Makes every write to a table fail while `work` runs, as if a worker had never written there. */
export async function whileRefusingWrites(table: string, work: () => Promise<unknown>): Promise<void> {
  await superuser.query(`
    create function die() returns trigger language plpgsql as $$ begin raise 'the worker died'; end $$;
    create trigger die before insert on ${table} execute function die()`)
  try {
    await work()
  } finally {
    await superuser.query('drop function die cascade')
  }
}
