import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { claimKey } from '#shared/platform/idempotency/claim-key.ts'
import { eraseResponsesAbout } from '#shared/platform/idempotency/erase-responses.ts'
import type { KeyedRequest } from '#shared/platform/idempotency/idempotency-key.ts'
import { recordOutcome, recordResponse } from '#shared/platform/idempotency/record-response.ts'
import { pendingPayloads } from '#shared/platform/jobs/pending-jobs.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { discardJobs, drainJobs } from '#test/support/processes/jobs.ts'
import { eraseResponses } from '#workers/idempotency/erase-responses.ts'

// More than a scan reads together.
const MANY = 450
const { signal } = new AbortController()

const run = (store: { id: string }, given = signal) =>
  eraseResponses.run({ storeId: store.id }, { jobId: '', retry: 0, signal: given })

const erase = (store: { id: string }, personId: string) =>
  inStore(store.id, (tx) =>
    eraseResponsesAbout(tx, { principal: `customer:${personId}`, personId, recordIds: [personId] }),
  )

const requestOf = (store: { id: string }, n: number): KeyedRequest => ({
  storeId: store.id,
  principal: `staff:${n % 7}`,
  operation: `post /things/${n % 3}`,
  key: `key-${n}`,
  hash: Buffer.alloc(32),
  holder: newId(),
})

const textOf = (id: string, email: string, noteLength = 0) =>
  JSON.stringify({ data: { id, email, note: 'n'.repeat(noteLength) } })

async function store(request: KeyedRequest, text: string): Promise<void> {
  await claimKey(request)
  await inStore(request.storeId, (tx) => recordResponse(tx, request, { status: 200, text }))
}

async function textsOf(requests: KeyedRequest[]): Promise<string[]> {
  const texts: string[] = []
  for (const request of requests) {
    const claim = await claimKey(request)
    assert.equal(claim.state, 'completed')
    if (claim.state === 'completed') texts.push(claim.response.text)
  }
  return texts
}

/** Calls `read` with the encrypted responses that the process reads, until the test ends. */
function watchReads(t: { after(done: () => void): void }, read: (sealed: string) => void) {
  const knex = db()
  const listen = (_result: unknown, { response }: { response?: { rows?: { response?: unknown }[] } }) => {
    for (const row of response?.rows ?? []) if (typeof row.response === 'string') read(row.response)
  }
  knex.on('query-response', listen)
  t.after(() => void knex.removeListener('query-response', listen))
}

test('persons are erased from all stored responses of a store; only those that name them are read, one at a time', async (t) => {
  const shop = await buildStore()
  const [ada, eve, bob] = [newId(), newId(), newId()]
  const persons = [bob, bob, ada, bob, bob, eve] as const
  const personOf = (n: number) => persons[n % persons.length] ?? bob
  const requests = Array.from({ length: MANY }, (_, n) => requestOf(shop, n))
  const given = requests.map((_, n) =>
    textOf(personOf(n), `${personOf(n)}@example.test`, n % 50 ? 0 : 400_000),
  )
  for (const [n, request] of requests.entries()) await store(request, given[n] ?? '')
  await erase(shop, ada)
  await erase(shop, eve)
  let reads = 0
  watchReads(t, () => {
    reads += 1
  })

  await run(shop)

  assert.equal(reads, given.filter((text) => !text.includes(bob)).length)
  const texts = await textsOf(requests)
  for (const [n, text] of texts.entries())
    if (personOf(n) === bob) assert.equal(text, given[n])
    else
      assert.deepEqual(JSON.parse(text).data, {
        id: personOf(n),
        email: `${personOf(n)}@anonymized.invalid`,
        note: '',
      })
  await discardJobs()
})

test('a person is erased from an outcome and from the response that is recorded beside it', async () => {
  const shop = await buildStore()
  const person = newId()
  const [committed, completed] = [requestOf(shop, 0), requestOf(shop, 1)]
  const outcome = { id: person, email: 'ada@example.test' }
  for (const request of [committed, completed]) {
    await claimKey(request)
    await inStore(shop.id, (tx) => recordOutcome(tx, request, outcome))
  }
  await inStore(shop.id, (tx) =>
    recordResponse(tx, completed, { status: 200, text: textOf(newId(), 'x@y.test') }),
  )
  const before = await textsOf([completed])
  await erase(shop, person)

  await run(shop)

  const email = `${person}@anonymized.invalid`
  assert.deepEqual(await claimKey(committed), { state: 'committed', outcome: { ...outcome, email } })
  assert.deepEqual(await textsOf([completed]), before, 'the response names another person')
  await inStore(shop.id, (tx) => tx.knex('idempotency_keys').update({ response: null, status: null }))
  assert.deepEqual(await claimKey(completed), { state: 'committed', outcome: { ...outcome, email } })
  await discardJobs()
})

test('a scan that is killed is continued where it stopped, and erases the rest', async (t) => {
  const shop = await buildStore()
  const person = newId()
  const requests = Array.from({ length: MANY }, (_, n) => requestOf(shop, n))
  for (const request of requests) await store(request, textOf(person, 'ada@example.test'))
  await erase(shop, person)
  const read: string[] = []
  const kill = new AbortController()
  watchReads(t, (sealed) => {
    read.push(sealed)
    if (read.length === MANY - 10) kill.abort()
  })

  await assert.rejects(run(shop, kill.signal), { name: 'AbortError' })
  const killedAfter = read.length
  await run(shop)
  const byBoth = read.length

  assert.ok(killedAfter >= MANY - 10 && killedAfter < MANY, `killed after ${killedAfter}`)
  assert.ok(byBoth < MANY + 200, `${byBoth} records were read by both runs`)
  assert.equal((await textsOf(requests)).filter((text) => text.includes('ada@')).length, 0)
  await discardJobs()
})

test('many requests to erase persons share one waiting job; the next one after its start has a job again', async () => {
  await discardJobs()
  const shop = await buildStore()
  const other = await buildStore()
  const waiting = async ({ id }: { id: string }) =>
    (await pendingPayloads(eraseResponses.job as never, id)).length
  await Promise.all([erase(shop, newId()), erase(shop, newId()), erase(other, newId())])
  const first = await waiting(shop)
  for (let n = 0; n < 5; n++) await erase(shop, newId())

  assert.equal(await waiting(shop), first)
  assert.equal(await waiting(other), 1)
  const fetched = await (await queues()).fetch(eraseResponses.job.queue, { batchSize: 10 })
  await erase(shop, newId())
  assert.equal(
    await waiting(shop),
    fetched.filter(({ data }) => (data as { storeId: string }).storeId === shop.id).length + 1,
  )
  await discardJobs()
})

test('the job that an uncommitted request shares starts after its commit', async () => {
  await discardJobs()
  const shop = await buildStore()
  const person = newId()
  const request = requestOf(shop, 1)
  await store(request, textOf(person, 'ada@example.test'))
  await erase(shop, newId())

  const early = await inStore(shop.id, async (tx) => {
    await eraseResponsesAbout(tx, { principal: 'customer:x', personId: person, recordIds: [person] })
    return drainJobs([eraseResponses])
  })
  const late = await drainJobs([eraseResponses])

  assert.deepEqual({ early: early.length, late: late.length }, { early: 0, late: 1 })
  assert.deepEqual(
    (await textsOf([request])).filter((text) => text.includes('ada@')),
    [],
  )
})

/** Returns when each transaction of a scan began and was committed, in milliseconds. */
async function timesOfTransactions(shop: { id: string }): Promise<{ begun: number; committed: number }[]> {
  const knex = db()
  const times: { begun: number; committed: number }[] = []
  const listen = ({ sql }: { sql: string }) => {
    const now = performance.now()
    if (sql.startsWith('begin')) times.push({ begun: now, committed: Number.NaN })
    const current = times.at(-1)
    if (sql.startsWith('COMMIT') && current) current.committed = now
  }
  knex.on('query', listen)
  try {
    await run(shop)
  } finally {
    knex.removeListener('query', listen)
  }
  return times
}

test('a process rests after each record as long as the record took, so that other jobs have half of its time', async () => {
  const shop = await buildStore()
  const person = newId()
  for (let n = 0; n < 8; n++) await store(requestOf(shop, n), textOf(person, 'a@b.test', 1_000_000))
  await erase(shop, person)

  const times = await timesOfTransactions(shop)

  // The first transaction starts the scan, and the second one finds the records.
  const rested = times.slice(2, 10).map(({ begun, committed }, n) => {
    const next = times[n + 3]
    assert.ok(next)
    return { rest: next.begun - committed, work: committed - begun }
  })
  // A timer may be one millisecond early, and leaves out parts of one.
  const tooShort = rested.filter(({ rest, work }) => rest < work - 2)
  assert.deepEqual({ count: rested.length, tooShort }, { count: 8, tooShort: [] })
  await discardJobs()
})
