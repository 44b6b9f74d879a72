import { createCipheriv, createDecipheriv, createHmac, hash, type KeyObject, randomBytes } from 'node:crypto'
import { config } from './config.ts'

/** Reads `kid:key,kid:key` (keys in base64url). The first key is the one in use; the rest still open what they closed. */
export function readKeys(text: string): Map<string, Buffer> {
  return new Map(
    text.split(',').map((pair) => {
      const at = pair.indexOf(':')
      return [pair.slice(0, at), Buffer.from(pair.slice(at + 1), 'base64url')]
    }),
  )
}

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

export const hmac = (key: Buffer | KeyObject, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** `bytes` random bytes in base64url: a token nobody can guess. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')

/** Encrypts a secret for keeping (AES-256-GCM): `kid.iv.tag.ciphertext`, base64url. `context` ties it to its row. */
export function seal(plain: string, context: string): string {
  const [kid, key] = firstKey()
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return [kid, ...[iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join('.')
}

/** Opens what `seal` closed in the same context. Throws when it was changed, moved or its key is gone. */
export function unseal(sealed: string, context: string): string {
  const [kid = '', iv = '', tag = '', body = ''] = sealed.split('.')
  const key = readKeys(config().ENCRYPTION_KEYS).get(kid)
  if (!key) throw new Error(`ENCRYPTION_KEYS no longer holds the key "${kid}" that closed a kept secret`)
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
    .setAAD(Buffer.from(context))
    .setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8')
}

/** Whether a kept secret was closed by an older key than the one in use, so that it should be sealed anew. */
export const isSealedByOldKey = (sealed: string): boolean => !sealed.startsWith(`${firstKey()[0]}.`)

function firstKey(): [string, Buffer] {
  for (const entry of readKeys(config().ENCRYPTION_KEYS)) return entry
  throw new Error('ENCRYPTION_KEYS holds no key')
}
