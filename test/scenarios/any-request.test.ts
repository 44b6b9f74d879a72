import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { type Arbitrary } from 'fast-check'
import { testBooks } from '#test/support/test-books.ts'
import '#test/support/database.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { baseUrl, request } from '#test/support/app.ts'
import { buildSuperAdmin } from '#test/support/build-super-admin.ts'
import { assertDescribed } from '#test/support/described.ts'
import { credentialsOf, type Tokens } from '#test/support/draw-caller.ts'
import { type Drawn, someRequest } from '#test/support/draw-request.ts'
import type { Ground } from '#test/support/draw-words.ts'
import { furnishStore } from '#test/support/furnish-store.ts'
import { sendRequest } from '#test/support/http.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { nameOf } from '#test/support/names-in-requests.ts'
import { rowsOf } from '#test/support/rows-of.ts'
import { withWorker } from '#test/support/with-worker.ts'

// Random requests drawn from the description, some valid, some invalid, eight at a time, from callers with and
// without access: none fails with 5xx, and each response matches the description. The long run:
// FUZZ_REQUESTS=100000 FUZZ_SEED=1 npm test -- test/scenarios/any-request.test.ts

const REQUESTS = Number(process.env.FUZZ_REQUESTS || 320)
const SEED = Number(process.env.FUZZ_SEED || 20_261_010)
const AT_ONCE = 8
/** Requests between two checks that the store is still open. */
const REQUESTS_OF_A_ROUND = 80
/** After this many requests the store has too few records left. */
const REQUESTS_OF_A_GROUND = 800

interface Asked extends Ground {
  requests: Arbitrary<Drawn>
}

async function newGround(): Promise<Asked> {
  const own = await furnishStore()
  const strange = await furnishStore({ provider: 'second' })
  const ground = { own, strange, rows: await rowsOf(own.store) }
  return { ...ground, requests: someRequest(ground) }
}

/** New sessions: earlier requests may have ended the previous ones. */
async function freshTokens({ own: { store, customer, owner, program } }: Ground): Promise<Tokens> {
  const device = { ip: '127.0.0.1', userAgent: 'test' }
  const tokenOf = (type: 'customer' | 'staff', { id }: { id: string }) =>
    inStore(store.id, async (tx) => (await openSession(tx, { type, id }, device)).accessToken)
  return {
    customer: await tokenOf('customer', customer),
    owner: await tokenOf('staff', owner),
    program: program.token,
    root: (await buildSuperAdmin()).token,
  }
}

/** The result of a request; `fault` describes a response that does not match the description. */
interface Outcome {
  status: number
  fault?: string
}

async function send({ operation, path, headers, body }: Drawn, credentials: object): Promise<Outcome> {
  const method = operation.method.toUpperCase()
  const {
    status,
    headers: answered,
    text,
  } = await sendRequest(`${baseUrl}/api/v1${path}`, {
    method,
    headers: { ...credentials, ...headers },
    body: body ?? null,
  })
  try {
    assert.ok(status < 500, text)
    // Redirects have no body, and a list may be a CSV file.
    const isJson = answered.get('content-type')?.startsWith('application/json')
    if (isJson) assertDescribed(method, path, status, JSON.parse(text))
    return { status }
  } catch (error) {
    return { status, fault: `${status} ${nameOf(operation)}: ${error}\n  ${method} ${path} ${body ?? ''}` }
  }
}

async function askRound(ground: Asked, seed: number): Promise<Outcome[]> {
  const drawn = fc.sample(ground.requests, { seed, numRuns: REQUESTS_OF_A_ROUND })
  const tokens = await freshTokens(ground)
  const outcomes: Outcome[] = []
  for (let first = 0; first < drawn.length; first += AT_ONCE) {
    const batch = drawn.slice(first, first + AT_ONCE)
    const answers = Promise.all(batch.map((one) => send(one, credentialsOf(one.caller, ground.own, tokens))))
    const waits = batch.some(({ operation }) => operation.respond)
    outcomes.push(...(await (waits ? withWorker(answers) : answers)))
  }
  return outcomes
}

const isOpen = async ({ own: { store } }: Ground): Promise<boolean> =>
  (await request('GET /settings/store-info', { store })).status === 200

async function ask(requests: number, seed: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let ground = await newGround()
  while (outcomes.length < requests) {
    outcomes.push(...(await askRound(ground, seed + outcomes.length)))
    if (!(await isOpen(ground))) ground = await newGround()
  }
  await drainJobs()
  return outcomes
}

for (let first = 0; first < REQUESTS; first += REQUESTS_OF_A_GROUND)
  test(`random requests from ${first + 1} (seed ${SEED + first}) return responses that match the description`, async (t) => {
    const outcomes = await ask(Math.min(REQUESTS_OF_A_GROUND, REQUESTS - first), SEED + first)

    const faults = outcomes.flatMap(({ fault = [] }) => fault)
    const counted = Map.groupBy(outcomes, ({ status }) => status)
    t.diagnostic(
      JSON.stringify(Object.fromEntries([...counted].map(([status, { length }]) => [status, length]))),
    )
    assert.equal(faults.length, 0, faults.join('\n'))
    const done = outcomes.filter(({ status }) => status < 300)
    assert.ok(done.length > outcomes.length / 10, 'control: hardly any of them did anything')
  })

testBooks()
