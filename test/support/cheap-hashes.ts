import crypto, { type Argon2Parameters } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Loaded before the service: from then on Argon2 computes at the least cost that there is. A password's hash is slow
// on purpose, and tests make thousands. The cost that was asked for goes into the hash, so that another cost makes
// another hash, as it should.

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
