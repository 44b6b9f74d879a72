export const UNIQUE_VIOLATION = '23505'
export const FOREIGN_KEY_VIOLATION = '23503'

/** PostgreSQL's code of an error that Objection may have wrapped. */
export const sqlState = (error: unknown): string | undefined => {
  const { code, nativeError } = error as { code?: string; nativeError?: { code?: string } }
  return nativeError?.code ?? code
}

/** The constraint that an error, which Objection may have wrapped, says was violated. */
export const violatedConstraint = (error: unknown): string | undefined => {
  const { constraint, nativeError } = error as { constraint?: string; nativeError?: { constraint?: string } }
  return nativeError?.constraint ?? constraint
}
