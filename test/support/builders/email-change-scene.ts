import assert from 'node:assert/strict'
import { type BuiltAccount, buildCustomer, PASSWORD } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'

export const outcomeOf = ({ status, error_code }: ApiResponse) => ({ status, error_code })
export const linkInvalid = { status: 400, error_code: 'auth.link_invalid' }
export const newEmail = () => `moved-${nextNumber()}@example.test`
export const subjectsTo = (email: string) => mailbox.mails(email).map(({ subject }) => subject)

/** A signed-in customer of a store, or a staff member without a store. */
export interface Asker {
  store?: BuiltStore
  token: string
}

export const ask = (by: Asker, email: string, current_password = PASSWORD) =>
  request('POST /auth/email', { ...by, body: { email, current_password } })

export const confirm = (by: Asker, token: string) =>
  request('POST /auth/email/confirm', { ...by, body: { token } })

export const login = (store: BuiltStore | null, email: string) =>
  request('POST /auth/login', { ...(store ? { store } : {}), body: { email, password: PASSWORD } })

/** Requests a change and reads the link from the new mailbox. */
export async function linkFor(by: Asker, email: string): Promise<string> {
  assert.deepEqual(outcomeOf(await ask(by, email)), { status: 200, error_code: null })
  await drainJobs()
  const mail = mailbox.mails(email).find(({ text }) => text.includes('#token='))
  assert.ok(mail)
  return tokenIn(mail)
}

export async function buildAsker(): Promise<{ store: BuiltStore; customer: BuiltAccount; by: Asker }> {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  return { store, customer, by: { store, token: customer.token } }
}
