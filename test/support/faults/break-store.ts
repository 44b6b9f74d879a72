import { superuser } from '#test/support/database.ts'

interface Broken {
  /** Tables whose rows of the store cannot be read. */
  tables?: readonly string[]
}

/** Makes the queues refuse every job of a store, and reads of its rows fail, while `work` runs. */
export async function whileBroken(
  { id }: { id: string },
  { tables = [] }: Broken,
  work: () => Promise<unknown>,
): Promise<void> {
  await superuser.query(`
    create function assert_sound(store text) returns boolean language plpgsql as $$
      begin if store = '${id}' then raise 'a corrupt row'; end if; return true; end $$;
    create function refuse_job() returns trigger language plpgsql as $$
      begin perform assert_sound(new.data->>'storeId'); return new; end $$;
    create trigger refuse_job before insert on pgboss.job for each row execute function refuse_job()`)
  for (const table of tables)
    await superuser.query(
      `create policy sound on ${table} as restrictive using (assert_sound(store_id::text))`,
    )
  try {
    await work()
  } finally {
    await superuser.query('drop function assert_sound cascade; drop function refuse_job cascade')
  }
}
