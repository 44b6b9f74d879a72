import { hash, randomBytes } from 'node:crypto'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import type { KeyMode } from './publishable-key.ts'

const FORMAT = /^cx_pk_(live|test)_([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)_([A-Za-z0-9_-]{32})([0-9a-f]{8})$/
const SECRET_LENGTH = 32 + 8

const checksum = (body: string): string => hash('sha256', body, 'hex').slice(0, 8)

/** Creates a key `cx_pk_<live|test>_<slug>_<24 random bytes + checksum>`. */
export function makePublishableKey(mode: KeyMode, slug: string): string {
  const body = `cx_pk_${mode}_${slug}_${randomBytes(24).toString('base64url')}`
  return body + checksum(body)
}

/** Hashes a key for lookup. Null for a wrong format or checksum, so that a guess costs no query. */
export function hashPublishableKey(key: string): Buffer | null {
  if (!FORMAT.test(key)) return null
  return checksum(key.slice(0, -8)) === key.slice(-8) ? sha256(key) : null
}

/** Returns the part of a key that staff see in lists. It gives no access. */
export const hintOf = (key: string): string => `${key.slice(0, -SECRET_LENGTH)}…${key.slice(-4)}`
