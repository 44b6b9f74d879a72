import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { slots } from './hash-slots.ts'

const derive = promisify(argon2)

/**
 * 19 MiB, one lane and as many passes as fit into 25 ms of a server's core (RFC 9106, section 4, says to choose so):
 * one more than the two that OWASP asks for at least.
 */
const COST = { memory: 19_456, passes: 3, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

// No more than there are cores: each takes 19 MB, and beside one another they are not done any sooner.
const inSlot = slots({ running: Math.min(4, availableParallelism()), waiting: 64 })

/** Hashes a password (argon2id) into a PHC string, which carries its own cost. 429 when too many are under way. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await inSlot(() => deriveHash(password, salt, COST, HASH_BYTES))
  return toPhc(salt, hash)
}

/** Whether the password is the one of the hash. Without a hash (no such account, no password) it takes as long. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(kept ?? NOBODYS) ?? []
  if (!hash) throw new Error('A kept password hash is not in the PHC form of argon2id')
  const expected = Buffer.from(hash, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const given = await inSlot(() => deriveHash(password, Buffer.from(salt, 'base64'), cost, expected.length))
  return timingSafeEqual(given, expected) && kept !== null
}

/**
 * The hash by which a password that is known to be right is to be kept: made anew at today's cost where the kept one
 * was made at another, else the kept one. The salt stays, so that all who sign in at one moment come to the same hash.
 */
export async function rehashAtPresentCost(password: string, kept: string): Promise<string> {
  if (kept.startsWith(PREFIX)) return kept
  const salt = Buffer.from(PHC.exec(kept)?.[4] ?? '', 'base64')
  return toPhc(salt, await inSlot(() => deriveHash(password, salt, COST, HASH_BYTES)))
}

const PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`

const toPhc = (salt: Buffer, hash: Buffer): string => `${PREFIX}${base64(salt)}$${base64(hash)}`

/** PHC strings write base64 without padding. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const NOBODYS = toPhc(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES))

// The same letters can be typed as different code points, by keyboard and system: NFKC makes them one (NIST SP 800-63B).
const deriveHash = (password: string, nonce: Buffer, cost: typeof COST, tagLength: number): Promise<Buffer> =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...cost })
