import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildTwoFactor } from '#test/support/builders/two-factor.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'
import { hashCostsOf } from '#test/support/runner/cheap-hashes.ts'

// Responses do not reveal whether an address has an account. Registration is the exception by decision: a new customer
// must learn that the address is taken.

const UNKNOWN = 'no@one.example'

interface Question {
  line: string
  ask: (email: string) => RequestOptions
}

const login = (given: object, store?: BuiltStore): Question => ({
  line: 'POST /auth/login',
  ask: (email) => ({ ...(store ? { store } : {}), body: { email, ...given } }),
})

const forgot = (store?: BuiltStore): Question => ({
  line: 'POST /auth/password/forgot',
  ask: (email) => ({ ...(store ? { store } : {}), body: { email } }),
})

/** The response without its date, request id and rate limit headers. */
async function answerTo({ line, ask }: Question, email: string): Promise<string> {
  const { status, headers, ...rest } = await request(line, ask(email))
  const stableHeaders = [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit.*)$/.test(name))
  return JSON.stringify([status, stableHeaders, rest])
}

async function assertAlike(question: Question, known: Record<string, string>): Promise<void> {
  const answers = new Set<string>()
  for (const email of [UNKNOWN, ...Object.values(known)]) answers.add(await answerTo(question, email))

  assert.equal(answers.size, 1, [...answers].join('\n'))
}

/** A store with one account of every type and state. */
async function populate() {
  const store = await buildStore()
  const [customer, inactive, withTwoFactor] = [
    await buildCustomer(store),
    await buildCustomer(store, { isActive: false }),
    await buildCustomer(store),
  ]
  const [member, protectedMember] = [
    await buildStaff(store, { role: 'owner' }),
    await buildStaff(store, { role: 'sales' }),
  ]
  await buildTwoFactor(store, { type: 'customer', id: withTwoFactor.id })
  await buildTwoFactor(store, { type: 'staff', id: protectedMember.id })
  return {
    store,
    customers: { known: customer.email, inactive: inactive.email, withTwoFactor: withTwoFactor.email },
    staff: { known: member.email, withTwoFactor: protectedMember.email },
  }
}

test('a wrong password and an unknown address return the same response', async () => {
  const { store, customers, staff } = await populate()

  await assertAlike(login({ password: 'a guess at it' }, store), customers)
  await assertAlike(login({ password: 'a guess at it' }), staff)
})

test('a sign-in to an unknown address computes the same hash as one to a known address', async () => {
  const { store, customers, staff } = await populate()
  const password = 'a guess at it'
  const questions: [Question, string][] = [
    [login({ password }, store), customers.known],
    [login({ password }), staff.known],
    [login({ password, account: 'staff' }, store), staff.known],
  ]

  for (const [{ line, ask }, known] of questions) {
    const ofUnknown = await hashCostsOf(() => request(line, ask(UNKNOWN)))
    const ofKnown = await hashCostsOf(() => request(line, ask(known)))
    assert.equal(ofKnown.length, 1)
    assert.deepEqual(ofUnknown, ofKnown)
  }
})

test('a wrong password with a one-time code and an unknown address return the same response', async () => {
  const { store, customers, staff } = await populate()
  const guess = { password: 'a guess at it', totp_code: '123456' }

  await assertAlike(login(guess, store), customers)
  await assertAlike(login(guess), staff)
})

test('a password reset request returns the same response for known and unknown addresses', async () => {
  const { store, customers, staff } = await populate()

  await assertAlike(forgot(store), customers)
  await assertAlike(forgot(), staff)
})

test('registration with a taken address returns the same 409 for every type of account', async () => {
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
