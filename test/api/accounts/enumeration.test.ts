import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { type Asked, request } from '#test/support/app.ts'
import { type BuiltStore, buildStore } from '#test/support/build.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/build-accounts.ts'
import { buildTwoFactor } from '#test/support/build-two-factor.ts'
import { hashCostsOf } from '#test/support/cheap-hashes.ts'

// Nobody learns from an answer whose address has an account here. Registering alone says that one is taken, by
// decision: whoever registers must be told.

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

async function assertAlike(question: Question, known: Record<string, string>): Promise<void> {
  const answers = new Set<string>()
  for (const email of [UNKNOWN, ...Object.values(known)]) answers.add(await answerTo(question, email))

  assert.equal(answers.size, 1, [...answers].join('\n'))
}

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

test('a wrong password is answered as an unknown address is', async () => {
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

test('a wrong password with a one-time code is, too', async () => {
  const { store, customers, staff } = await populate()
  const guess = { password: 'a guess at it', totp_code: '123456' }

  await assertAlike(login(guess, store), customers)
  await assertAlike(login(guess), staff)
})

test('asking for a link is answered as for an unknown address', async () => {
  const { store, customers, staff } = await populate()

  await assertAlike(forgot(store), customers)
  await assertAlike(forgot(), staff)
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
