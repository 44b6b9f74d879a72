import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { waitBreaker } from '#shared/platform/notify/wait-breaker.ts'

type Result = 'late' | 'done' | 'skipped'

/** A breaker whose waits end when the test says so. */
function buildWaits() {
  const breaker = waitBreaker()
  const waits: ((result: Result) => void)[] = []
  return {
    waits,
    call: (key = 'store'): Promise<Result> =>
      breaker<Result>({
        key,
        wait: () => new Promise((resolve) => waits.push(resolve)),
        missed: (result) => result === 'late',
        skip: async () => 'skipped',
      }),
  }
}

async function open({ call, waits }: ReturnType<typeof buildWaits>) {
  const both = [call(), call()]
  for (const end of waits.splice(0)) end('late')
  assert.deepEqual(await Promise.all(both), ['late', 'late'])
}

test('after two timed-out waits callers do not wait, and one background wait continues', async () => {
  const given = buildWaits()
  await open(given)

  assert.deepEqual(await Promise.all([given.call(), given.call()]), ['skipped', 'skipped'])
  assert.equal(given.waits.length, 1)
})

test('a wait in the background that has a result lets callers wait again', async () => {
  const given = buildWaits()
  await open(given)
  await given.call()
  given.waits.pop()?.('done')
  await turn()

  const next = given.call()
  given.waits.pop()?.('done')

  assert.equal(await next, 'done')
})

test('a background wait that times out is followed by another', async () => {
  const given = buildWaits()
  await open(given)
  await given.call()
  given.waits.pop()?.('late')
  await turn()

  assert.equal(await given.call(), 'skipped')
  assert.equal(given.waits.length, 1)
})

test('a result between two timed-out waits, and waits for another subject, leave the circuit closed', async () => {
  const given = buildWaits()
  for (const result of ['late', 'done', 'late'] as const) {
    const waited = given.call()
    given.waits.pop()?.(result)
    assert.equal(await waited, result)
  }
  const other = given.call('other')
  given.waits.pop()?.('late')

  assert.equal(await other, 'late')
  const next = given.call()
  given.waits.pop()?.('done')
  assert.equal(await next, 'done')
})
