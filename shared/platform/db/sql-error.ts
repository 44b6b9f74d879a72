export const UNIQUE_VIOLATION = '23505'
export const FOREIGN_KEY_VIOLATION = '23503'
export const DISK_FULL = '53100'
export const OBJECT_IN_USE = '55006'
export const DEADLOCK = '40P01'

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
