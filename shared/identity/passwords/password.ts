import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { randomToken } from '#shared/platform/secrets/crypto.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import type { HashCaller } from './hash-caller.ts'

const derive = promisify(argon2)

/**
 * 19 MiB of memory (in KiB), one lane, and as many passes as a server's core makes in 25 ms (RFC 9106, section 4).
 * OWASP asks for at least two passes.
 */
const COST = { memory: 19_456, passes: 3, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

// One hash runs on each core. Each takes 19 MiB, and more at a time would not finish sooner.
const withPermit = semaphore({ permits: Math.min(4, availableParallelism()), maxWaiting: 64 })

const withHashPermit = <T>(work: () => Promise<T>, caller?: HashCaller): Promise<T> =>
  withPermit(work, { caller: caller?.id, group: caller?.group })

// A hash that waits for more than this many others waits longer than a sign-in should.
const MANY_WAITING = 8

/** Whether so many hashes wait that sign-ins are slow. */
export const areManyHashesWaiting = (): boolean => withPermit.countWaiting() > MANY_WAITING

/** Hashes a password (argon2id) into a PHC string, which contains the cost. Throws 429 if too many hashes wait. */
export async function hashPassword(password: string, caller?: HashCaller): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await withHashPermit(() => deriveHash(password, salt, COST, HASH_BYTES), caller)
  return toPhc(salt, hash)
}

/** Hashes a chosen password, or a random one if none was chosen, so that nobody can sign in with it. */
export const hashChosenPassword = (password: string | undefined, caller?: HashCaller): Promise<string> =>
  hashPassword(password ?? randomToken(), caller)

/**
 * Whether the password matches the hash. Without a hash (no account, or no password) it is false after the same time.
 */
export async function isPassword(
  password: string,
  stored: string | null,
  caller?: HashCaller,
): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(stored ?? RANDOM_HASH) ?? []
  if (!hash) throw new Error('A stored password hash is not in the PHC format of argon2id')
  const expected = Buffer.from(hash, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const given = await withHashPermit(
    () => deriveHash(password, Buffer.from(salt, 'base64'), cost, expected.length),
    caller,
  )
  return timingSafeEqual(given, expected) && stored !== null
}

/**
 * Returns the hash of a verified password at today's cost. It is the stored hash if that has today's cost. The salt
 * stays, so that concurrent sign-ins compute the same hash.
 */
export async function rehashAtPresentCost(password: string, stored: string): Promise<string> {
  if (stored.startsWith(PREFIX)) return stored
  const salt = Buffer.from(PHC.exec(stored)?.[4] ?? '', 'base64')
  return toPhc(salt, await withHashPermit(() => deriveHash(password, salt, COST, HASH_BYTES)))
}

const PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`

const toPhc = (salt: Buffer, hash: Buffer): string => `${PREFIX}${base64(salt)}$${base64(hash)}`

/** PHC strings write base64 without padding. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const RANDOM_HASH = toPhc(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES))

// Keyboards and systems write the same letters as different code points. NFKC makes them equal (NIST SP 800-63B).
const deriveHash = (password: string, nonce: Buffer, cost: typeof COST, tagLength: number): Promise<Buffer> =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...cost })
