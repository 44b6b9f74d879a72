import type { Knex } from 'knex'

interface AllStoresQuery {
  /** The arguments of the function, in SQL. */
  args: string
  /** The columns of its rows, in SQL. */
  columns: string
  /** The query of one store, whose id is `store`. It should cost one probe of a nearly empty partial index. */
  query: string
}

/**
 * Creates a function that runs a query in one store after another. Row-level security allows no query over all stores;
 * one call saves a round trip for each. At the end it restores the store of the caller's transaction.
 */
export const overAllStores = (knex: Knex, name: string, { args, columns, query }: AllStoresQuery) =>
  knex.raw(`
    create function ${name}(${args})
    returns table (${columns}) language plpgsql as $$
    #variable_conflict use_column
    declare
      store uuid;
      caller text := coalesce(current_setting('app.store_id', true), '');
    begin
      for store in select id from stores loop
        perform set_config('app.store_id', store::text, true);
        return query ${query};
      end loop;
      perform set_config('app.store_id', caller, true);
    end $$`)
