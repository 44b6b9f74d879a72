/** Above this number of visits of a code and day, new visitors share rows, so that nobody can fill the table. */
export const MAX_VISITORS_PER_DAY = 50_000

/** The number of rows that such visitors of a code and day share: one for each first byte of a hash. */
export const SHARED_ROWS = 256
