import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { hashRequest, recordFailure } from '#api/platform/idempotency/idempotency.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { claimKey } from '#shared/platform/idempotency/claim-key.ts'
import { IdempotencyErrors } from '#shared/platform/idempotency/errors.ts'
import type { KeyedRequest } from '#shared/platform/idempotency/idempotency-key.ts'
import { recordOutcome, recordResponse } from '#shared/platform/idempotency/record-response.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'

const NO_TEXT = { text: '', by: 'staff' } as const
const RESPONSE = { status: 201, text: '{"data":1}' }

async function twoRuns(): Promise<[KeyedRequest, KeyedRequest]> {
  const { id: storeId } = await buildStore()
  const hash = hashRequest('/orders', { n: 1 })
  const request = { storeId, principal: 'anyone', operation: 'post /orders', key: 'k', hash }
  return [
    { ...request, holder: newId() },
    { ...request, holder: newId() },
  ]
}

const respond = (request: KeyedRequest) =>
  inStore(request.storeId, (tx) => recordResponse(tx, request, RESPONSE))

const change = (request: KeyedRequest, outcome: string) =>
  inStore(request.storeId, (tx) => recordOutcome(tx, request, outcome))

test('a second request with the key of a running one throws idempotency.in_progress', async () => {
  const [first, second] = await twoRuns()

  assert.equal((await claimKey(first)).state, 'fresh')
  await assert.rejects(claimKey(second), { code: 'idempotency.in_progress' })
})

test('a repeat gets the stored response', async () => {
  const [first, second] = await twoRuns()
  await claimKey(first)
  await respond(first)

  assert.deepEqual(await claimKey(second), { state: 'completed', response: RESPONSE })
})

test('a response is replayed for 24 hours and never later, whether or not the purge has run', async () => {
  const [first, second] = await twoRuns()
  await claimKey(first)
  await respond(first)

  moveClock(DAY_MS - SECOND_MS)
  assert.equal((await claimKey(second)).state, 'completed')
  moveClock(DAY_MS + SECOND_MS)
  assert.equal((await claimKey(second)).state, 'fresh')

  await assert.rejects(claimKey(first), { code: 'idempotency.in_progress' })
  await respond(second)
  assert.equal((await claimKey(first)).state, 'completed')
})

test('after 24 hours the key is free for another request', async () => {
  const [first, second] = await twoRuns()
  await claimKey(first)
  await respond(first)
  moveClock(DAY_MS + SECOND_MS)

  const other = { ...second, hash: hashRequest('/orders', { n: 2 }) }

  assert.equal((await claimKey(other)).state, 'fresh')
  await assert.rejects(claimKey(first), { code: 'idempotency.key_reused' })
})

test('a different request with the same key throws idempotency.key_reused', async () => {
  const [first, second] = await twoRuns()
  await claimKey(first)

  await assert.rejects(claimKey({ ...second, hash: hashRequest('/orders', { n: 2 }) }), {
    code: 'idempotency.key_reused',
  })
})

test('a run that lost its claim after the lease commits nothing', async () => {
  const [slow, second] = await twoRuns()
  await claimKey(slow)
  moveClock(MINUTE_MS)
  assert.equal((await claimKey(second)).state, 'fresh')

  await assert.rejects(respond(slow), { code: 'idempotency.in_progress' })
  await respond(second)
})

test('a run that lost its claim commits nothing after the other one has committed its outcome', async () => {
  const [slow, second] = await twoRuns()
  await claimKey(slow)
  moveClock(MINUTE_MS)
  await claimKey(second)
  await change(second, 'second')

  await assert.rejects(change(slow, 'slow'), { code: 'idempotency.in_progress' })
  assert.deepEqual(await claimKey(slow), { state: 'committed', outcome: 'second' })
  // Whoever knows the outcome may respond.
  await respond(slow)
  assert.equal((await claimKey(second)).state, 'completed')
})

test('a run that lost its claim and failed does not answer for the one that has committed its outcome', async () => {
  const [slow, second] = await twoRuns()
  await claimKey(slow)
  moveClock(MINUTE_MS)
  await claimKey(second)
  await change(second, 'second')

  await recordFailure(slow, IdempotencyErrors.reused(), { text: '{"error":{}}', by: 'staff' })

  assert.deepEqual(await claimKey(slow), { state: 'committed', outcome: 'second' })
})

test("a failed run releases its own claim, not another run's", async () => {
  const [first, second] = await twoRuns()
  await claimKey(first)

  await recordFailure(second, new Error('no database'), NO_TEXT)
  await assert.rejects(claimKey(second), { code: 'idempotency.in_progress' })
  await recordFailure(first, new Error('no database'), NO_TEXT)
  assert.equal((await claimKey(second)).state, 'fresh')
})

test('errors that are stored for repeats count as stored bytes; past the limit the key of the request is released instead', async (t) => {
  process.env.LIMIT_STORED_MB = '1'
  resetConfig()
  t.after(() => {
    process.env.LIMIT_STORED_MB = '0'
    resetConfig()
  })
  const [run] = await twoRuns()
  const error = { text: 'x'.repeat(700_000), by: { ip: '192.0.2.7' } }

  const states: string[] = []
  for (const key of ['first', 'second', 'third']) {
    const request = { ...run, key }
    await claimKey(request)
    await recordFailure(request, IdempotencyErrors.reused(), error)
    states.push((await claimKey({ ...request, holder: newId() })).state)
  }

  assert.deepEqual(states, ['completed', 'completed', 'fresh'])
})

test('a committed response survives the loss of its acknowledgement', async () => {
  const [first, second] = await twoRuns()
  await claimKey(first)
  await respond(first)

  await recordFailure(first, new Error('Connection terminated unexpectedly'), NO_TEXT)

  assert.equal((await claimKey(second)).state, 'completed')
})
