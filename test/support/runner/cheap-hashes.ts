import crypto, { type Argon2Parameters } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Loaded before the service: makes Argon2 use its lowest cost, since password hashes are slow by design and tests
// compute thousands. The requested cost is part of the hashed input, so that another cost still gives another
// hash.

const { argon2, argon2Sync } = crypto
const askedCosts: string[] = []

function atLeastCost(parameters: Argon2Parameters): Argon2Parameters {
  const { memory, passes, parallelism } = parameters
  const cost = `m=${memory},t=${passes},p=${parallelism}`
  askedCosts.push(cost)
  return { ...parameters, memory: 8 * parallelism, passes: 1, associatedData: Buffer.from(cost) }
}

crypto.argon2 = (algorithm, parameters, callback) => argon2(algorithm, atLeastCost(parameters), callback)
crypto.argon2Sync = (algorithm, parameters) => argon2Sync(algorithm, atLeastCost(parameters))
syncBuiltinESMExports()

/** The costs of the password hashes that this process computes while `work` runs. */
export async function hashCostsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = askedCosts.length
  await work()
  return askedCosts.slice(before)
}
