import assert from 'node:assert/strict'
import fc, { type Arbitrary } from 'fast-check'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildFullStore } from '#test/support/builders/full-store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { rowsOf } from '#test/support/measure/rows-of.ts'
import { request } from '#test/support/processes/app.ts'
import { sendRequest } from '#test/support/processes/http.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'
import { assertDescribed } from '#test/support/requests/described.ts'
import { credentialsOf, type Tokens } from '#test/support/requests/draw-caller.ts'
import { type Drawn, someRequest } from '#test/support/requests/draw-request.ts'
import type { Targets } from '#test/support/requests/draw-words.ts'
import { nameOf } from '#test/support/requests/names-in-requests.ts'

// Random requests drawn from the description, some valid, some invalid, eight at a time, from callers with and without
// access.

const AT_ONCE = 8
/** Requests between two checks that the store is still open. */
const REQUESTS_OF_A_ROUND = 80

/** The result of a request; `fault` describes a response that does not match the description. */
export interface Outcome {
  status: number
  fault?: string
}

/** Sends a drawn request once more. */
export type Resend = (drawn: Drawn) => Promise<unknown>

interface Asking {
  /** Of the process that is asked, without a path. */
  url: string
  requests: number
  seed: number
  /** Called after each round with its requests. */
  onRound?: (drawn: Drawn[], resend: Resend) => Promise<void>
}

interface Asked extends Targets {
  requests: Arbitrary<Drawn>
}

/** Sends `requests` random requests, and works off the jobs that they leave. */
export async function askAtRandom({ url, requests, seed, onRound }: Asking): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let targets = await newGround()
  while (outcomes.length < requests) {
    const drawn = fc.sample(targets.requests, { seed: seed + outcomes.length, numRuns: REQUESTS_OF_A_ROUND })
    const tokens = await freshTokens(targets)
    const { own } = targets
    const ask = (one: Drawn) => send(url, one, credentialsOf(one.caller, own, tokens))
    outcomes.push(...(await askRound(drawn, ask)))
    await onRound?.(drawn, (one) => askRound([one], ask))
    if (!(await isOpen(targets))) targets = await newGround()
  }
  await drainJobs()
  return outcomes
}

async function newGround(): Promise<Asked> {
  const own = await buildFullStore()
  const other = await buildFullStore({ provider: 'second' })
  const targets = { own, other, rows: await rowsOf(own.store) }
  return { ...targets, requests: someRequest(targets) }
}

/** New sessions: earlier requests may have ended the previous ones. */
async function freshTokens({ own: { store, customer, owner, program } }: Targets): Promise<Tokens> {
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

async function askRound(drawn: Drawn[], ask: (one: Drawn) => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let first = 0; first < drawn.length; first += AT_ONCE) {
    const batch = drawn.slice(first, first + AT_ONCE)
    const answers = Promise.all(batch.map(ask))
    const waits = batch.some(({ operation }) => operation.respond)
    outcomes.push(...(await (waits ? withWorker(answers) : answers)))
  }
  return outcomes
}

async function send(
  url: string,
  { operation, path, headers, body }: Drawn,
  credentials: object,
): Promise<Outcome> {
  const method = operation.method.toUpperCase()
  const {
    status,
    headers: answered,
    text,
  } = await sendRequest(`${url}/api/v1${path}`, {
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

const isOpen = async ({ own: { store } }: Targets): Promise<boolean> =>
  (await request('GET /settings/store-info', { store })).status === 200

/** How many outcomes have each status. */
export const countStatuses = (outcomes: Outcome[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(outcomes, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  )
