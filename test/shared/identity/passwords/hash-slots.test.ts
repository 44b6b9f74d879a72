import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slots } from '#shared/identity/passwords/hash-slots.ts'

test('work beyond what may run waits its turn; past the queue it is told to come back', async () => {
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
