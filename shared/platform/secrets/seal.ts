import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { config } from '../config/config.ts'
import { memoizeByKeys } from './crypto.ts'

/** A kept secret that does not open. Nobody who asked can help it: it is a 500, and the log says which key is missing. */
export class UnsealError extends Error {}

const keysOf = memoizeByKeys((keys) => keys)
const encryptionKeys = (): ReadonlyMap<string, Buffer> => keysOf(config().ENCRYPTION_KEYS)

/** A key of ENCRYPTION_KEYS that the environment lacks. `work`: what the key did that now needs it. */
export const missingKey = (kid: string | null, work: string): UnsealError =>
  new UnsealError(`ENCRYPTION_KEYS does not hold the key "${kid}" that ${work}`)

/** The name of the key that encrypts: the first of ENCRYPTION_KEYS. */
export const newestKeyId = (): string => newest()[0]

function newest(): [kid: string, key: Buffer] {
  for (const entry of encryptionKeys()) return entry
  throw new Error('ENCRYPTION_KEYS holds no key')
}

/** What every value begins with that the newest key closed. */
export const newestSealPrefix = (): string => `${newestKeyId()}.`

/** Encrypts a secret (AES-256-GCM): `kid.iv.tag.ciphertext`, base64url. `context` ties it to its place. */
export function seal(plain: string, context: string): string {
  const [kid, key] = newest()
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return [kid, ...[iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join('.')
}

/** Opens what `seal` closed in the same context. Throws `UnsealError` when it was changed, moved or its key is gone. */
export function unseal(sealed: string, context: string): string {
  const [kid = '', iv = '', tag = '', body = ''] = sealed.split('.')
  const key = encryptionKeys().get(kid)
  if (!key) throw missingKey(kid, 'closed a kept secret')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
      .setAAD(Buffer.from(context))
      .setAuthTag(Buffer.from(tag, 'base64url'))
    return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new UnsealError(
      `A secret that the key "${kid}" closed does not open: it was changed or moved, or the key is another by that name`,
      { cause },
    )
  }
}
