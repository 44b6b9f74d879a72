export const UNIQUE_VIOLATION = '23505'
export const FOREIGN_KEY_VIOLATION = '23503'
export const DISK_FULL = '53100'
export const OBJECT_IN_USE = '55006'
const DEADLOCK = '40P01'

/** Returns the SQLSTATE of a database error, even if Objection has wrapped it. */
export const sqlState = (error: unknown): string | undefined => {
  const { code, nativeError } = error as { code?: string; nativeError?: { code?: string } }
  return nativeError?.code ?? code
}

/** Returns the name of the violated constraint, even if Objection has wrapped the error. */
export const violatedConstraint = (error: unknown): string | undefined => {
  const { constraint, nativeError } = error as { constraint?: string; nativeError?: { constraint?: string } }
  return nativeError?.constraint ?? constraint
}

/** Whether PostgreSQL ended a statement at its time-out. */
export const hasTimedOut = (error: unknown): boolean => sqlState(error) === '57014'

const MAX_ATTEMPTS = 3

/** Runs `work` again after a deadlock, at most twice. It must change nothing outside the database. */
export async function retryDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (sqlState(error as object) !== DEADLOCK || attempt === MAX_ATTEMPTS) throw error
    }
  }
}
