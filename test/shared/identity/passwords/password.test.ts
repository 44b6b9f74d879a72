import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import { type TestContext, test } from 'node:test'
import { hashPassword, isPassword, rehashAtPresentCost } from '#shared/identity/passwords/password.ts'
import { hashAtLessCost } from '#test/support/build-accounts.ts'

test('a password is known again by its hash, and no other is', async () => {
  const hash = await hashPassword('correct horse')

  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=3,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.equal(await isPassword('correct horse', hash), true)
  assert.equal(await isPassword('Correct horse', hash), false)
  assert.notEqual(hash, await hashPassword('correct horse'))
})

test('a password typed as other code points of the same letters is the same', async () => {
  assert.equal(await isPassword('cafe\u0301 12345', await hashPassword('caf\u00e9 12345')), true)
})

test('a hash made at another cost still counts, and is made anew with the same salt', async () => {
  const kept = hashAtLessCost('older')
  const salt = (hash: string) => hash.split('$')[4]

  const renewed = await rehashAtPresentCost('older', kept)

  assert.deepEqual([await isPassword('older', kept), await isPassword('older', renewed)], [true, true])
  assert.match(renewed, /m=19456,t=3,p=1/)
  assert.equal(salt(renewed), salt(kept))
  assert.equal(await rehashAtPresentCost('older', renewed), renewed)
})

test('without a hash nothing matches', async () => {
  assert.equal(await isPassword('', null), false)
})

test('a kept hash of another form is a fault of ours, not a wrong password', async () => {
  await assert.rejects(isPassword('x', '$2b$12$whatever'), /PHC/)
})

test('a process makes no more hashes at a time than it has cores, four at most, and lets 64 wait', async (t) => {
  const kept = hashAtLessCost('older')
  const running = Math.min(4, availableParallelism())
  const hashes = watchHashes(t)

  const taken = Array.from({ length: running + 64 }, () => isPassword('older', kept))
  const refused = [isPassword('older', kept), hashPassword('newer'), rehashAtPresentCost('older', kept)]

  const tooMany = { code: 'rate_limit.exceeded', status: 429 }
  await Promise.all(refused.map((one) => assert.rejects(one, tooMany)))
  assert.deepEqual(new Set(await Promise.all(taken)), new Set([true]))
  assert.deepEqual(hashes, { now: 0, most: running })
})

/** How many hashes Node is making, and the most it made at a time. */
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
