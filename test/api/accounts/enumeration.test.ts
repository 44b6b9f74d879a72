import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import '#test/support/database.ts'
import { type Asked, request } from '#test/support/app.ts'
import { type BuiltStore, buildStore } from '#test/support/build.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/build-accounts.ts'
import { buildTwoFactor } from '#test/support/build-two-factor.ts'

// Nobody learns from an answer whose address has an account here. Registering alone says that one is taken, by
// decision: whoever registers must be told.

// Medians worth reading need more, and nothing beside them: TIMING_SAMPLES=40 npm test -- this file.
const SAMPLES = Number(process.env.TIMING_SAMPLES || 3)
/** The least of so many is what the work itself takes. */
const TRIES = 5
const UNKNOWN = 'no@one.example'

interface Question {
  line: string
  ask: (email: string) => Asked
}

const login = (given: object, store?: BuiltStore): Question => ({
  line: 'POST /auth/login',
  ask: (email) => ({ ...(store ? { store } : {}), body: { email, ...given } }),
})

const forgot = (store?: BuiltStore): Question => ({
  line: 'POST /auth/password/forgot',
  ask: (email) => ({ ...(store ? { store } : {}), body: { email } }),
})

/** All that an answer says but for when it was given and which it was. */
async function answerTo({ line, ask }: Question, email: string): Promise<string> {
  const { status, headers, ...rest } = await request(line, ask(email))
  const said = [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit.*)$/.test(name))
  return JSON.stringify([status, said, rest])
}

/** Asks of each address in turn, so that what slows the machine down slows all of them down. */
async function assertAlike(t: TestContext, question: Question, known: Record<string, string>): Promise<void> {
  const emails = Object.entries({ unknown: UNKNOWN, ...known })
  const answers = new Set<string>()
  const times: Record<string, number[]> = {}
  for (let sample = 0; sample < SAMPLES; sample++)
    for (const [who, email] of emails) {
      const start = performance.now()
      answers.add(await answerTo(question, email))
      times[who] = [...(times[who] ?? []), performance.now() - start]
    }

  assert.equal(answers.size, 1, [...answers].join('\n'))
  for (const [who, taken] of Object.entries(times)) t.diagnostic(`${who}: ${medianOf(taken).toFixed(1)} ms`)
}

const medianOf = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** A store with every sort of account that an address can have. */
async function populate() {
  const store = await buildStore()
  const [customer, inactive, guarded] = [
    await buildCustomer(store),
    await buildCustomer(store, { isActive: false }),
    await buildCustomer(store),
  ]
  const [member, guardedMember] = [
    await buildStaff(store, { role: 'owner' }),
    await buildStaff(store, { role: 'sales' }),
  ]
  await buildTwoFactor(store, { type: 'customer', id: guarded.id })
  await buildTwoFactor(store, { type: 'staff', id: guardedMember.id })
  return {
    store,
    customers: { known: customer.email, inactive: inactive.email, guarded: guarded.email },
    staff: { known: member.email, guarded: guardedMember.email },
  }
}

test('a wrong password is answered as an unknown address is', async (t) => {
  const { store, customers, staff } = await populate()

  await assertAlike(t, login({ password: 'a guess at it' }, store), customers)
  await assertAlike(t, login({ password: 'a guess at it' }), staff)
})

/**
 * Processor time that an answer takes at the least, in ms: unlike the time on the clock, it says nothing of how busy the
 * machine is.
 */
async function workOf(question: Question, email: string): Promise<number> {
  const taken: number[] = []
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const before = process.cpuUsage()
    await request(question.line, question.ask(email))
    const { user, system } = process.cpuUsage(before)
    taken.push((user + system) / 1_000)
  }
  return Math.min(...taken)
}

test('an unknown address costs the work of a hash, as a known one does', async (t) => {
  const { store, customers, staff } = await populate()
  const password = 'a guess at it'
  const questions: [Question, string][] = [
    [login({ password }, store), customers.known],
    [login({ password }), staff.known],
    [login({ password, account: 'staff' }, store), staff.known],
  ]

  for (const [question, known] of questions) {
    const [unknown, expected] = [await workOf(question, UNKNOWN), await workOf(question, known)]
    t.diagnostic(`unknown: ${unknown.toFixed(1)} ms, known: ${expected.toFixed(1)} ms`)
    // Half of it leaves room for all but the hash, which is many times the rest.
    assert.ok(unknown > expected / 2, `${unknown} ms instead of ${expected} ms`)
  }
})

test('a wrong password with a one-time code is, too', async (t) => {
  const { store, customers, staff } = await populate()
  const guess = { password: 'a guess at it', totp_code: '123456' }

  await assertAlike(t, login(guess, store), customers)
  await assertAlike(t, login(guess), staff)
})

test('asking for a link is answered as for an unknown address', async (t) => {
  const { store, customers, staff } = await populate()

  await assertAlike(t, forgot(store), customers)
  await assertAlike(t, forgot(), staff)
})

test('registering is refused for a taken address alone, and says nothing of its account', async () => {
  const { store, customers } = await populate()
  const register = (email: string) =>
    answerTo(
      {
        line: 'POST /auth/register',
        ask: () => ({ store, body: { email, password: PASSWORD, firstname: 'Ada', lastname: 'Byron' } }),
      },
      email,
    )

  const answers = new Set<string>()
  for (const email of Object.values(customers)) answers.add(await register(email))

  assert.equal(answers.size, 1)
  assert.match([...answers][0] ?? '', /^\[409,/)
  assert.match(await register(UNKNOWN), /^\[201,/)
})
