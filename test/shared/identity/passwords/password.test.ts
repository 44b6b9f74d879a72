import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import { type TestContext, test } from 'node:test'
import { hashPassword, isPassword, rehashAtPresentCost } from '#shared/identity/passwords/password.ts'
import { hashAtLessCost } from '#test/support/builders/accounts.ts'

test('a hash matches its own password only', async () => {
  const hash = await hashPassword('correct horse')

  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=3,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.equal(await isPassword('correct horse', hash), true)
  assert.equal(await isPassword('Correct horse', hash), false)
  assert.notEqual(hash, await hashPassword('correct horse'))
})

test('a password in another Unicode normalization form matches', async () => {
  assert.equal(await isPassword('cafe\u0301 12345', await hashPassword('caf\u00e9 12345')), true)
})

test('a hash with another cost matches and is rehashed with the same salt', async () => {
  const stored = hashAtLessCost('older')
  const salt = (hash: string) => hash.split('$')[4]

  const renewed = await rehashAtPresentCost('older', stored)

  assert.deepEqual(
    { old: await isPassword('older', stored), renewed: await isPassword('older', renewed) },
    { old: true, renewed: true },
  )
  assert.match(renewed, /m=19456,t=3,p=1/)
  assert.equal(salt(renewed), salt(stored))
  assert.equal(await rehashAtPresentCost('older', renewed), renewed)
})

test('a missing hash matches no password', async () => {
  assert.equal(await isPassword('', null), false)
})

test('a stored hash of another format throws an error', async () => {
  await assert.rejects(isPassword('x', '$2b$12$whatever'), /PHC/)
})

test('a process computes at most as many hashes as it has cores, up to four, and queues 64', async (t) => {
  const stored = hashAtLessCost('older')
  const running = Math.min(4, availableParallelism())
  const hashes = watchHashes(t)

  const accepted = Array.from({ length: running + 64 }, () => isPassword('older', stored))
  const refused = [isPassword('older', stored), hashPassword('newer'), rehashAtPresentCost('older', stored)]

  const tooMany = { code: 'rate_limit.exceeded', status: 429 }
  await Promise.all(refused.map((one) => assert.rejects(one, tooMany)))
  assert.deepEqual(new Set(await Promise.all(accepted)), new Set([true]))
  assert.deepEqual(hashes, { now: 0, most: running })
})

/** Counts the hashes that Node computes now, and the most at one time. */
function watchHashes(t: TestContext): { now: number; most: number } {
  const hashes = { now: 0, most: 0 }
  const ids = new Set<number>()
  const hook = createHook({
    init(id, type) {
      if (type !== 'ARGON2REQUEST') return
      ids.add(id)
      hashes.most = Math.max(hashes.most, ++hashes.now)
    },
    before(id) {
      if (ids.delete(id)) hashes.now -= 1
    },
  }).enable()
  t.after(() => hook.disable())
  return hashes
}
