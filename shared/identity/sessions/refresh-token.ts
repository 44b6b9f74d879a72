import { type KeyObject, timingSafeEqual } from 'node:crypto'
import { NOBODY } from '#shared/identity/principal.ts'
import { uuidBytes, uuidFromBytes } from '#shared/platform/db/id.ts'
import { hmac, sha256 } from '#shared/platform/secrets/crypto.ts'
import { tokenKeys } from './token-keys.ts'

/** The contents of a refresh token: a session, and the token's generation in it. */
export interface RefreshTokenName {
  /** Null on the platform. */
  storeId: string | null
  sessionId: string
  /** 0 if the token was issued before rotation existed. Its secret is random, and only the stored hash proves it. */
  generation: number
}

/** A refresh token that a client presents. */
export interface RefreshToken extends RefreshTokenName {
  hash: Buffer
  /** Whether one of TOKEN_KEYS signed it. An unsigned token is genuine if its stored hash matches. */
  isSigned: boolean
}

/** Replaces the store's id in tokens of the platform. */
const PLATFORM = NOBODY

const PREFIX = 'cx_rt_'
const NAME_BYTES = 36
const SECRET_BYTES = 32
const FORMAT = new RegExp(`^${PREFIX}[\\w-]{91}$`)

/**
 * Returns the refresh token of one generation, `cx_rt_<store ‖ session ‖ generation ‖ HMAC>`. It depends only on its
 * name and the key. So all requests that exchange the same predecessor get the same token, though it is not stored.
 */
export function makeRefreshToken(name: RefreshTokenName): string {
  const [key] = signingKeys()
  if (!key) throw new Error('TOKEN_KEYS holds no key. Set it to `kid:key`, see README')
  return encode(name, hmac(key, textOf(name)))
}

/** Computes a session's present token again with the key that signed it; null if that key was removed. */
export function remakeRefreshToken(name: RefreshTokenName, hash: Buffer): string | null {
  const tokens = signingKeys().map((key) => encode(name, hmac(key, textOf(name))))
  return tokens.find((token) => sha256(token).equals(hash)) ?? null
}

/** Reads a refresh token; null if the format is wrong. The caller must still compare it with its session. */
export function readRefreshToken(token: string): RefreshToken | null {
  if (!FORMAT.test(token)) return null
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url')
  const storeId = uuidFromBytes(bytes.subarray(0, 16))
  const name = {
    storeId: storeId === PLATFORM ? null : storeId,
    sessionId: uuidFromBytes(bytes.subarray(16, 32)),
    generation: bytes.readUInt32BE(32),
  }
  const secret = bytes.subarray(NAME_BYTES)
  const isSigned = signingKeys().some((key) => timingSafeEqual(hmac(key, textOf(name)), secret))
  return { ...name, hash: sha256(token), isSigned }
}

/** Encodes a token with its secret: an HMAC, or random for tokens from before rotation existed. */
export function encode({ storeId, sessionId, generation }: RefreshTokenName, secret: Buffer): string {
  const bytes = Buffer.alloc(NAME_BYTES + SECRET_BYTES)
  uuidBytes(storeId ?? PLATFORM).copy(bytes, 0)
  uuidBytes(sessionId).copy(bytes, 16)
  bytes.writeUInt32BE(generation, 32)
  secret.copy(bytes, NAME_BYTES)
  return PREFIX + bytes.toString('base64url')
}

const signingKeys = (): KeyObject[] => [...tokenKeys().values()].map(({ refresh }) => refresh)

const textOf = ({ storeId, sessionId, generation }: RefreshTokenName): string =>
  `${storeId ?? PLATFORM} ${sessionId} ${generation}`
