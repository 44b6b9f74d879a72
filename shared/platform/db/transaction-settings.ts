/**
 * SQL column that makes PostgreSQL send no notices until the end of the transaction. A search for a stop word gets one
 * for each row that it reads, megabytes in a large catalog. Not an option of the connection, because poolers refuse it.
 */
export const NO_NOTICES = "set_config('client_min_messages', 'warning', true)"

/**
 * SQL columns with the settings of a store's transaction. A sequential scan reads the rows of all stores. PostgreSQL
 * plans statements for the average store, so where one store has nearly all rows of a table, it would scan the table,
 * in several processes, for the few rows of a small store. Each table has an index that begins with the store. Reading
 * by it is nearly as fast, also for a store with most of the rows. One process a statement keeps a store to its share
 * of the processors.
 */
export const STORE_SETTINGS = `${NO_NOTICES}, set_config('enable_seqscan', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true)`
