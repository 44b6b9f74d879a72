import { hash, randomBytes } from 'node:crypto'
import { sha256 } from '#shared/platform/secrets/crypto.ts'

const FORMAT = /^cx_pk_(live|test)_([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)_([A-Za-z0-9_-]{32})([0-9a-f]{8})$/
const RANDOM_LENGTH = 32 + 8

export type KeyMode = 'live' | 'test'

const checksum = (body: string): string => hash('sha256', body, 'hex').slice(0, 8)

/** A new key `cx_pk_<live|test>_<slug>_<24 random bytes + checksum>` (interface document, section 5.1). */
export function makePublishableKey(mode: KeyMode, slug: string): string {
  const body = `cx_pk_${mode}_${slug}_${randomBytes(24).toString('base64url')}`
  return body + checksum(body)
}

/** The hash a key is kept by; null when its format or checksum is wrong, so that no query is spent on a guess. */
export function hashPublishableKey(key: string): Buffer | null {
  if (!FORMAT.test(key)) return null
  return checksum(key.slice(0, -8)) === key.slice(-8) ? sha256(key) : null
}

/** What tells keys apart to whoever holds them, and opens nothing. */
export const hintOf = (key: string): string => `${key.slice(0, -RANDOM_LENGTH)}…${key.slice(-4)}`
