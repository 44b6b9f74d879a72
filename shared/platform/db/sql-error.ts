export const UNIQUE_VIOLATION = '23505'
export const FOREIGN_KEY_VIOLATION = '23503'
export const DISK_FULL = '53100'
export const OBJECT_IN_USE = '55006'

/** The SQLSTATE of a database error, also of one that Objection wraps. */
export const sqlState = (error: unknown): string | undefined => {
  const { code, nativeError } = error as { code?: string; nativeError?: { code?: string } }
  return nativeError?.code ?? code
}

/** The name of the violated constraint, also of an error that Objection wraps. */
export const violatedConstraint = (error: unknown): string | undefined => {
  const { constraint, nativeError } = error as { constraint?: string; nativeError?: { constraint?: string } }
  return nativeError?.constraint ?? constraint
}
