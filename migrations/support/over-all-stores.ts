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
 * PL/pgSQL that makes a function over all stores fail in the transaction of a store. Otherwise it would return rows of
 * other stores there, in spite of row-level security.
 */
export const OUTSIDE_STORES = `
      if coalesce(current_setting('app.store_id', true), '') <> '' then
        raise exception 'A query over all stores runs outside the transaction of a store';
      end if;`

/** PL/pgSQL that leaves the last store, so that the rest of the transaction reads no store. */
export const LEAVE_STORES = "perform set_config('app.store_id', '', true);"

/**
 * The settings of a function over all stores. PostgreSQL plans its queries once and not for each store, because
 * planning took most of the time. This plan is for a store of average size. Without the other two settings it would
 * scan a whole table for each store, in several processes, if one store has nearly all of the rows.
 */
export const ALL_STORES_SETTINGS = `
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
    set max_parallel_workers_per_gather = 0`

/**
 * Creates a function that runs a query in one store after another, because row-level security allows no query over all
 * stores. One call of it saves a round trip for each store. It throws in the transaction of a store.
 */
export const overAllStores = (knex: Knex, name: string, { args, columns, query }: AllStoresQuery) =>
  knex.raw(`
    create function ${name}(${args})
    returns table (${columns}) language plpgsql ${ALL_STORES_SETTINGS} as $$
    #variable_conflict use_column
    declare
      store uuid;
    begin ${OUTSIDE_STORES}
      for store in select id from stores loop
        perform set_config('app.store_id', store::text, true);
        return query ${query};
      end loop;
      ${LEAVE_STORES}
    end $$`)
