import { sha256 } from '../secrets/crypto.ts'

/** A prepared statement: its name is unique in the service, so that a connection makes its plan once. */
export interface Statement {
  name: string
  text: string
}

/** SQL: the id of the transaction's store, as row-level security sees it. */
export const CURRENT_STORE = "current_setting('app.store_id')::uuid"

// PostgreSQL tells the names of prepared statements apart by their first 63 bytes.
const LONGEST_NAME = 63
const wireNames = new Map<string, string>()

/** The name that a statement goes by on the wire: its own where it fits, else a digest of it. */
export function wireName({ name }: Statement): string {
  if (name.length <= LONGEST_NAME) return name
  const known = wireNames.get(name) ?? `digest_${sha256(name).toString('base64url')}`
  wireNames.set(name, known)
  return known
}
