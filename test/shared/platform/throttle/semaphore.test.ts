import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ClientGone, runForClient, WaitingClient } from '#shared/platform/db/waiting-client.ts'
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

test('a group has at most its permits, and another group takes the others at once', async () => {
  const withPermit = semaphore({ permits: 4, permitsPerGroup: 2, maxWaiting: 10 })
  const gate = Promise.withResolvers<void>()
  const running: string[] = []
  let most = 0
  const work = (group: string) => async () => {
    running.push(group)
    most = Math.max(most, running.filter((one) => one === 'slow').length)
    await (group === 'slow' ? gate.promise : undefined)
    running.splice(running.indexOf(group), 1)
    return group
  }

  const slow = Array.from({ length: 5 }, () => withPermit(work('slow'), { group: 'slow' }))
  const other = await Promise.all(
    Array.from({ length: 3 }, () => withPermit(work('other'), { group: 'other' })),
  )
  const whileSlow = [...running]
  gate.resolve()

  assert.deepEqual(other, ['other', 'other', 'other'])
  assert.deepEqual(whileSlow, ['slow', 'slow'])
  assert.deepEqual(await Promise.all(slow), Array(5).fill('slow'))
  assert.equal(most, 2)
})

test('failed work returns its permit', async () => {
  const withPermit = semaphore({ permits: 1, maxWaiting: 1 })
  const fail = () => Promise.reject(new Error('no'))

  await Promise.allSettled([withPermit(fail), withPermit(fail)])

  assert.equal(await withPermit(async () => 'free'), 'free')
})

/** The order in which work ends, when one caller's flood comes before the work of another. */
async function orderOfEnds(flood: number, names: { flood?: string; other?: string }): Promise<string[]> {
  const withPermit = semaphore({ permits: 1, maxWaiting: 64 })
  const ends: string[] = []
  const end = (name: string) => async () => void ends.push(name)
  const work = Array.from({ length: flood }, () => withPermit(end('flood'), { caller: names.flood }))
  await Promise.all([...work, withPermit(end('other'), { caller: names.other })])
  return ends
}

test("a caller waits for one call of another caller's flood; control: without caller names, for all of them", async () => {
  const fair = await orderOfEnds(50, { flood: '192.0.2.1', other: '198.51.100.1' })
  const unnamed = await orderOfEnds(50, {})

  assert.equal(fair.indexOf('other'), 1)
  assert.equal(unnamed.indexOf('other'), 50)
})

test('when all places are taken, the caller with the most waiting gives one up', async () => {
  const withPermit = semaphore({ permits: 1, maxWaiting: 4 })
  const outcome = (name: string) =>
    withPermit(async () => name, { caller: name }).catch(
      ({ status }: { status: number }) => `${name} ${status}`,
    )

  const outcomes = await Promise.all(['a', 'a', 'a', 'a', 'a', 'b', 'c', 'a'].map(outcome))

  assert.deepEqual(outcomes, ['a', 'a', 'a', 'a 429', 'a 429', 'b', 'c', 'a 429'])
})

test("a group waits for one piece of another group's work; control: without groups it waits for all", async () => {
  const orderOf = async (groups: { flood?: string; other?: string }) => {
    const withPermit = semaphore({ permits: 1, maxWaiting: 64 })
    const ends: string[] = []
    const end = (name: string) => async () => void ends.push(name)
    const flood = Array.from({ length: 50 }, (_, n) =>
      withPermit(end('flood'), { caller: `192.0.2.${n}`, group: groups.flood }),
    )
    await Promise.all([...flood, withPermit(end('other'), { caller: '198.51.100.1', group: groups.other })])
    return ends.indexOf('other')
  }

  assert.equal(await orderOf({ flood: 'store a', other: 'store b' }), 1)
  assert.equal(await orderOf({}), 50)
})

test('work that arrives during the turn of another group runs before the next work of that group', async () => {
  const withPermit = semaphore({ permits: 1, maxWaiting: 64 })
  const ends: string[] = []
  const work = (name: string) =>
    withPermit(async () => void ends.push(await setImmediate(name)), { group: name })
  const oneByOne = async () => {
    for (let n = 0; n < 5; n++) await work('other')
  }

  await Promise.all([...Array.from({ length: 20 }, () => work('flood')), oneByOne()])

  assert.equal(ends.slice(0, 10).join(' '), Array(5).fill('flood other').join(' '))
})

test('when all places are taken, the group with the most waiting gives one up', async () => {
  const withPermit = semaphore({ permits: 1, maxWaiting: 4 })
  const outcome = ([caller, group]: readonly [string, string]) =>
    withPermit(async () => caller, { caller, group }).catch(
      ({ status }: { status: number }) => `${caller} ${status}`,
    )

  const outcomes = await Promise.all(
    (
      [
        ['a', 'first'],
        ['b', 'first'],
        ['c', 'first'],
        ['d', 'first'],
        ['e', 'first'],
        ['f', 'first'],
        ['g', 'second'],
        ['h', 'second'],
        ['i', 'second'],
      ] as const
    ).map(outcome),
  )

  assert.deepEqual(outcomes, ['a', 'b', 'c', 'd 429', 'e 429', 'f 429', 'g', 'h', 'i 429'])
})

test('counts the waiting work', async () => {
  const withPermit = semaphore({ permits: 1, maxWaiting: 2 })
  const work = ['a', 'a', 'b', 'c'].map((caller) =>
    withPermit(async () => caller, { caller }).catch(() => null),
  )

  const during = withPermit.countWaiting()
  await Promise.all(work)

  assert.deepEqual({ during, afterwards: withPermit.countWaiting() }, { during: 2, afterwards: 0 })
})

test('a read whose client disconnects waits no longer, and its place is free', async () => {
  const withPermit = semaphore({ permits: 1, maxWaiting: 1 })
  const gate = Promise.withResolvers<void>()
  const client = new WaitingClient()
  const running = withPermit(() => gate.promise)
  const left = runForClient(client, () => withPermit(async () => 'read'))

  client.disconnect()
  await assert.rejects(left, ClientGone)
  const next = withPermit(async () => 'next')
  gate.resolve()
  await running

  assert.equal(await next, 'next')
  assert.equal(withPermit.countWaiting(), 0)
})
