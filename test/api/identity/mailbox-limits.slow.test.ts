import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { PASSWORD } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

afterEach(() => mailbox.clear())

const MOST_PER_HOUR = 5

/** Registers an account of the address, runs `use` and deletes the account. Each job runs as soon as it is due. */
async function registerAndDelete(
  store: BuiltStore,
  email: string,
  use: () => Promise<unknown> = async () => {},
): Promise<void> {
  const body = { email, password: PASSWORD, firstname: 'Ada', lastname: 'Byron' }
  const { data } = await request('POST /auth/register', { store, body })
  await use()
  await drainJobs()
  const { status } = await request('POST /auth/me/delete', {
    store,
    token: data.access_token,
    body: { current_password: PASSWORD },
  })
  assert.equal(status, 200)
}

const subjectsTo = (email: string): string[] => mailbox.mails(email).map(({ subject }) => subject)
const countOf = (subjects: string[], pattern: RegExp): number =>
  subjects.filter((subject) => pattern.test(subject)).length

test('an address that registers again after each deletion gets five verification mails per hour', async () => {
  const store = await buildStore()
  const email = `stranger-${nextNumber()}@example.test`

  for (let i = 0; i < MOST_PER_HOUR + 2; i++) await registerAndDelete(store, email)

  assert.equal(subjectsTo(email).length, MOST_PER_HOUR)
})

test('an address that registers again gets five links to reset a password per hour', async () => {
  const store = await buildStore()
  const email = `stranger-${nextNumber()}@example.test`
  const forget = async () => {
    for (let i = 0; i < 2; i++) await request('POST /auth/password/forgot', { store, body: { email } })
  }

  for (let i = 0; i < 4; i++) await registerAndDelete(store, email, forget)

  assert.equal(countOf(subjectsTo(email), /password/i), MOST_PER_HOUR)
})
