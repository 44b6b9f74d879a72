import { seal, unseal } from './seal.ts'

/** The columns of a table in which encrypted secrets are stored. */
export interface SecretsStorage {
  scope: 'store' | 'platform'
  table: string
  /** Column names, or SQL if a secret is a part of a column. */
  columns: readonly string[]
  /** The columns that the context uses beside those of the primary key. */
  contextColumns?: readonly string[]
  /**
   * SQL of a secret's expiry time, null for an expired secret. Expiring secrets are not re-encrypted; `npm run
   * secrets:reencrypt` re-encrypts all others.
   */
  expiresAt?: string
}

/** Encrypts and decrypts the secrets of one row. */
export interface Sealer {
  seal(plain: string): string
  /** Throws `UnsealError`. */
  open(sealed: string): string
}

/** A kind of secret that ENCRYPTION_KEYS encrypt. */
export interface Secrets<Row = never> {
  kind: string
  /** Null for secrets that are sent between processes and not stored. */
  storage: SecretsStorage | null
  of(row: Row): Sealer
}

/**
 * Declares a kind of secret: where it is stored, and the context that ties a secret to its row, so that it cannot be
 * decrypted in another row. All encryption uses such a declaration, and shared/all-secrets.ts lists them all.
 * `contextOf` may use the primary key and `contextColumns` of a stored row.
 */
export function defineSecrets<Row>(
  kind: string,
  storage: SecretsStorage | null,
  contextOf: (row: Row) => string,
): Secrets<Row> {
  const of = (row: Row): Sealer => {
    const context = contextOf(row)
    return { seal: (plain) => seal(plain, context), open: (sealed) => unseal(sealed, context) }
  }
  return { kind, storage, of }
}
