/** Time-outs of PostgreSQL for the transactions of stores and for platform statements, in milliseconds; 0: none. */
interface TimeLimits {
  statement: number
  /** A read in one round trip. */
  read: number
  lock: number
  idleInTransaction: number
}

let limits: TimeLimits = { statement: 0, read: 0, lock: 0, idleInTransaction: 0 }

/**
 * Limits the transactions of stores and the single statements outside them in this process: a statement to
 * `statementMs`, a wait for a lock to half of that, and a storefront read without a transaction to `readMs`. The web
 * process calls it, so that no request holds a connection for long. Jobs and commands may take longer.
 */
export function limitTransactions(statementMs: number, readMs = statementMs): void {
  limits = {
    statement: statementMs,
    read: readMs,
    lock: statementMs / 2,
    idleInTransaction: 3 * statementMs,
  }
}

/** Returns the time-out of a statement in milliseconds; 0: none. */
export const statementTimeout = (): number => limits.statement

/** Returns the time-out of a wait for a lock in milliseconds; 0: none. */
export const lockTimeout = (): number => limits.lock

/** Returns the time-out of a read without a transaction in milliseconds; 0: none. */
export const readTimeout = (): number => limits.read

/** Returns SQL columns for a select that apply the limits until the end of the transaction; '' without limits. */
export function limitsSql(): string {
  if (limits.statement === 0) return ''
  const settings = {
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
  }
  return Object.entries(settings)
    .map(([name, ms]) => `, set_config('${name}', '${ms}', true)`)
    .join('')
}
