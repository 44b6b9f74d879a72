/** Time-outs of PostgreSQL for the transactions of stores, in milliseconds; 0: none. */
interface TimeLimits {
  statement: number
  lock: number
  idleInTransaction: number
}

let limits: TimeLimits = { statement: 0, lock: 0, idleInTransaction: 0 }

/**
 * Limits the transactions of stores in this process: a statement to `statementMs`, a wait for a lock to half of it. The web
 * process does, so that no request holds a connection for long; jobs and commands may take longer.
 */
export function limitTransactions(statementMs: number): void {
  limits = { statement: statementMs, lock: statementMs / 2, idleInTransaction: 3 * statementMs }
}

/** The time-out of a statement, as PostgreSQL's setting. */
export const statementTimeout = (): string => `${limits.statement}`

/** SQL that applies the limits until the end of the transaction, if there are any: more columns of a select. */
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
