import { seal, unseal } from './seal.ts'

/** Where secrets are kept, sealed: in columns of a table. */
export interface SecretsStorage {
  scope: 'store' | 'platform'
  table: string
  /** Names, or SQL where a secret is a part of a column. */
  columns: readonly string[]
  /**
   * SQL of when a secret is over by itself, null once it is. Such secrets are left to the key that closed them; all
   * others `npm run secrets:reencrypt` encrypts anew.
   */
  expiresAt?: string
}

/** Closes and opens the secrets of one row. */
export interface Sealer {
  seal(plain: string): string
  /** Throws `UnsealError`. */
  open(sealed: string): string
}

/** A kind of secret that is sealed by ENCRYPTION_KEYS. */
export interface Secrets<Row = never> {
  kind: string
  /** Null for what passes from process to process and is kept nowhere. */
  storage: SecretsStorage | null
  of(row: Row): Sealer
}

/**
 * Declares a kind of secret: where it is kept, and by `contextOf` what ties each to its row, so that it opens nowhere
 * else. Nothing is sealed but by such a declaration, and all of them stand in shared/all-secrets.ts. Of a kept row,
 * `contextOf` may ask for whatever columns it has.
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
