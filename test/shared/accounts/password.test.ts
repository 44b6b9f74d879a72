import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slots } from '#shared/accounts/hash-slots.ts'
import { atPresentCost, hashPassword, isPassword } from '#shared/accounts/password.ts'
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

  const renewed = await atPresentCost('older', kept)

  assert.deepEqual([await isPassword('older', kept), await isPassword('older', renewed)], [true, true])
  assert.match(renewed, /m=19456,t=3,p=1/)
  assert.equal(salt(renewed), salt(kept))
  assert.equal(await atPresentCost('older', renewed), renewed)
})

test('without a hash nothing matches', async () => {
  assert.equal(await isPassword('', null), false)
})

test('a kept hash of another form is a fault of ours, not a wrong password', async () => {
  await assert.rejects(isPassword('x', '$2b$12$whatever'), /PHC/)
})

test('more than four at a time wait their turn; past the queue they are told to come back', async () => {
  const inSlot = slots({ running: 4, waiting: 2 })
  const gate = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await gate.promise
    running -= 1
    return 'done'
  }

  const taken = Array.from({ length: 6 }, () => inSlot(work))
  await assert.rejects(inSlot(work), {
    code: 'rate_limit.exceeded',
    status: 429,
    details: { retryAfter: 1 },
  })
  gate.resolve()

  assert.deepEqual(await Promise.all(taken), Array(6).fill('done'))
  assert.equal(most, 4)
})

test('a failed piece of work gives its place back', async () => {
  const inSlot = slots({ running: 1, waiting: 1 })
  const fail = () => Promise.reject(new Error('no'))

  await Promise.allSettled([inSlot(fail), inSlot(fail)])

  assert.equal(await inSlot(async () => 'free'), 'free')
})
