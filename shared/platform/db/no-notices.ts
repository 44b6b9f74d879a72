/**
 * SQL column that makes PostgreSQL send no notices until the end of the transaction. A search for a stop word gets one
 * for each row that it reads, megabytes in a large catalog. Not an option of the connection, because poolers refuse it.
 */
export const NO_NOTICES = "set_config('client_min_messages', 'warning', true)"
