import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slots } from '#shared/identity/passwords/hash-slots.ts'

test('work above the limit waits; work beyond the queue throws rate_limit.exceeded', async () => {
  const inSlot = slots({ running: 4, waiting: 2 })
  const gate = Promise.withResolvers<void>()
  let running = 0
  let maximum = 0
  const work = async () => {
    maximum = Math.max(maximum, ++running)
    await gate.promise
    running -= 1
    return 'done'
  }

  const accepted = Array.from({ length: 6 }, () => inSlot(work))
  await assert.rejects(inSlot(work), {
    code: 'rate_limit.exceeded',
    status: 429,
    details: { retryAfter: 1 },
  })
  gate.resolve()

  assert.deepEqual(await Promise.all(accepted), Array(6).fill('done'))
  assert.equal(maximum, 4)
})

test('failed work releases its slot', async () => {
  const inSlot = slots({ running: 1, waiting: 1 })
  const fail = () => Promise.reject(new Error('no'))

  await Promise.allSettled([inSlot(fail), inSlot(fail)])

  assert.equal(await inSlot(async () => 'free'), 'free')
})
