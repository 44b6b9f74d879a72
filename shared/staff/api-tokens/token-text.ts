import { randomBytes } from 'node:crypto'
import { uuidBytes, uuidFromBytes } from '#shared/platform/db/id.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'

export type ApiTokenMode = 'live' | 'test'

/** A parsed API token. */
export interface PresentedToken {
  storeId: string
  mode: ApiTokenMode
  hash: Buffer
}

const PREFIX = 'cx_sk_'
const STORE_BYTES = 16
const SECRET_BYTES = 32
const FORMAT = /^cx_sk_(live|test)_([\w-]{64})([0-9a-f]{8})$/

const checksum = (body: string): string => sha256(body).toString('hex').slice(0, 8)

/**
 * Returns a new API token, `cx_sk_<live|test>_<store ‖ 32 random bytes><checksum>`. It names its store, so its hash is
 * stored and looked up under the row-level security of that store.
 */
export function newTokenText(storeId: string, mode: ApiTokenMode): string {
  const secret = Buffer.concat([uuidBytes(storeId), randomBytes(SECRET_BYTES)])
  const body = `${PREFIX}${mode}_${secret.toString('base64url')}`
  return body + checksum(body)
}

/** Whether a bearer token has the prefix of API tokens. */
export const isApiToken = (token: string): boolean => token.startsWith(PREFIX)

/** Parses an API token; null if its format or checksum is wrong, so that a guess costs no query. */
export function readApiToken(token: string): PresentedToken | null {
  const [, mode, secret = '', sum] = FORMAT.exec(token) ?? []
  if (!mode || checksum(token.slice(0, -8)) !== sum) return null
  const storeId = uuidFromBytes(Buffer.from(secret, 'base64url').subarray(0, STORE_BYTES))
  return { storeId, mode: mode as ApiTokenMode, hash: sha256(token) }
}
