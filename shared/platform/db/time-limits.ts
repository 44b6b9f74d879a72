/** Time-outs of PostgreSQL for transactions and for statements outside them, in milliseconds; 0: none. */
export interface TimeLimits {
  statement: number
  /** A read in one round trip. */
  read: number
  lock: number
  /**
   * An open transaction without a running statement. It frees the locks of a process that has frozen or lost its
   * network.
   */
  idleInTransaction: number
}

const NONE: TimeLimits = { statement: 0, read: 0, lock: 0, idleInTransaction: 0 }

let limits = NONE

/**
 * Limits the transactions and single statements of this process. Called without limits, it removes them. Commands run
 * without limits.
 */
export function limitTransactions(given: TimeLimits = NONE): void {
  limits = given
}

/** Returns the time-out of a statement in milliseconds; 0: none. */
export const statementTimeout = (): number => limits.statement

/** Returns the time-out of a wait for a lock in milliseconds; 0: none. */
export const lockTimeout = (): number => limits.lock

/** Returns the time-out of a read without a transaction in milliseconds; 0: none. */
export const readTimeout = (): number => limits.read

/** Returns SQL columns for a select that apply the limits until the end of the transaction; '' without limits. */
export function limitsSql(): string {
  if (limits === NONE) return ''
  const settings = {
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
  }
  return Object.entries(settings)
    .map(([name, ms]) => `, set_config('${name}', '${ms}', true)`)
    .join('')
}
