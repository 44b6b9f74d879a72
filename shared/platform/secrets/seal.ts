import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { config } from '#shared/platform/config/config.ts'
import { memoizeByKeys } from './crypto.ts'

/** Thrown if a stored secret cannot be decrypted. The client gets a 500, and the log names the missing key. */
export class UnsealError extends Error {}

const keysOf = memoizeByKeys((keys) => keys)
const encryptionKeys = (): ReadonlyMap<string, Buffer> => keysOf(config().ENCRYPTION_KEYS)

/**
 * Returns the error of a key that ENCRYPTION_KEYS lacks. `work` says what the key was used for: "encrypted a stored
 * secret".
 */
export const missingKey = (kid: string | null, work: string): UnsealError =>
  new UnsealError(`ENCRYPTION_KEYS does not hold the key "${kid}" that ${work}`)

/** Returns the name of the key that encrypts: the first of ENCRYPTION_KEYS. */
export const newestKeyId = (): string => newest()[0]

function newest(): [kid: string, key: Buffer] {
  for (const entry of encryptionKeys()) return entry
  throw new Error('ENCRYPTION_KEYS holds no key. Set it to `kid:key`, see README')
}

/** Returns the prefix of every value that the newest key encrypted. */
export const newestSealPrefix = (): string => `${newestKeyId()}.`

/** Encrypts a text with `key` (AES-256-GCM) to `iv.tag.ciphertext` in base64url. */
export function sealWithKey(key: Buffer, plain: string, context: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return [iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url')).join('.')
}

/** Decrypts a text of `sealWithKey`. Throws for another key, another context or a changed value. */
export function unsealWithKey(key: Buffer, sealed: string, context: string): string {
  const [iv = '', tag = '', body = ''] = sealed.split('.')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8')
}

/** Encrypts a secret (AES-256-GCM) to `kid.iv.tag.ciphertext` in base64url. `context` ties it to its row. */
export function seal(plain: string, context: string): string {
  const [kid, key] = newest()
  return `${kid}.${sealWithKey(key, plain, context)}`
}

/**
 * Decrypts a secret of `seal` in the same context. Throws `UnsealError` for a changed or moved value or a missing key.
 */
export function unseal(sealed: string, context: string): string {
  const [kid = '', ...parts] = sealed.split('.')
  const key = encryptionKeys().get(kid)
  if (!key) throw missingKey(kid, 'encrypted a stored secret')
  try {
    return unsealWithKey(key, parts.join('.'), context)
  } catch (cause) {
    throw new UnsealError(
      `A secret cannot be decrypted with the key "${kid}": it was changed or moved, or the key has another value`,
      { cause },
    )
  }
}
