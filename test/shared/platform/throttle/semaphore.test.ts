import assert from 'node:assert/strict'
import { test } from 'node:test'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'

test('work waits for a permit; past the queue it throws 429 rate_limit.exceeded', async () => {
  const withPermit = semaphore({ permits: 4, maxWaiting: 2 })
  const gate = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await gate.promise
    running -= 1
    return 'done'
  }

  const taken = Array.from({ length: 6 }, () => withPermit(work))
  await assert.rejects(withPermit(work), {
    code: 'rate_limit.exceeded',
    status: 429,
    details: { retryAfter: 1 },
  })
  gate.resolve()

  assert.deepEqual(await Promise.all(taken), Array(6).fill('done'))
  assert.equal(most, 4)
})

test('failed work returns its permit', async () => {
  const withPermit = semaphore({ permits: 1, maxWaiting: 1 })
  const fail = () => Promise.reject(new Error('no'))

  await Promise.allSettled([withPermit(fail), withPermit(fail)])

  assert.equal(await withPermit(async () => 'free'), 'free')
})
