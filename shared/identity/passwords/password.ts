import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'

const derive = promisify(argon2)

/**
 * 19 MiB, one lane and as many passes as fit into 25 ms of a server's core (RFC 9106, section 4, says to choose so):
 * one more than the two that OWASP asks for at least.
 */
const COST = { memory: 19_456, passes: 3, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

// One a core: each hash takes 19 MiB, and more at a time finish no sooner.
const withPermit = semaphore({ permits: Math.min(4, availableParallelism()), maxWaiting: 64 })

/*
 * Hashes run in turn by `caller`: the caller's network, or the signed-in account. So a flood of sign-ins
 * from one address delays those from another by one hash each.
 */

/** Hashes a password (argon2id) into a PHC string, which carries its own cost. 429 when too many run and wait. */
export async function hashPassword(password: string, caller?: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await withPermit(() => deriveHash(password, salt, COST, HASH_BYTES), caller)
  return toPhc(salt, hash)
}

/** Whether the password matches the hash. Without a hash (no such account, no password) it takes as long. */
export async function isPassword(password: string, stored: string | null, caller?: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(stored ?? RANDOM_HASH) ?? []
  if (!hash) throw new Error('A stored password hash is not in the PHC format of argon2id')
  const expected = Buffer.from(hash, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const given = await withPermit(
    () => deriveHash(password, Buffer.from(salt, 'base64'), cost, expected.length),
    caller,
  )
  return timingSafeEqual(given, expected) && stored !== null
}

/**
 * The hash at today's cost of a password that was verified: the stored one, unless that has another cost. The salt
 * stays, so that concurrent sign-ins compute the same hash.
 */
export async function rehashAtPresentCost(password: string, stored: string): Promise<string> {
  if (stored.startsWith(PREFIX)) return stored
  const salt = Buffer.from(PHC.exec(stored)?.[4] ?? '', 'base64')
  return toPhc(salt, await withPermit(() => deriveHash(password, salt, COST, HASH_BYTES)))
}

const PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`

const toPhc = (salt: Buffer, hash: Buffer): string => `${PREFIX}${base64(salt)}$${base64(hash)}`

/** PHC strings write base64 without padding. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const RANDOM_HASH = toPhc(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES))

// The same letters can be typed as different code points, by keyboard and system: NFKC makes them one (NIST SP
// 800-63B).
const deriveHash = (password: string, nonce: Buffer, cost: typeof COST, tagLength: number): Promise<Buffer> =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...cost })
