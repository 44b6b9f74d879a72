import { buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'

/** A new member of the staff, as a request gives it. */
export const newcomer = () => ({
  email: `newcomer-${nextNumber()}@example.test`,
  firstname: 'Grace',
  lastname: 'Hopper',
  role: 'sales',
})

/** A store with a member of its staff, and calls by that member. */
export async function buildAdministrator(role = 'administrator') {
  const store = await buildStore()
  const me = await buildStaff(store, { role })
  const as = (line: string, asked: RequestOptions = {}) => request(line, { token: me.token, ...asked })
  return { store, me, as }
}

/** Signs a member of the staff in. */
export const signIn = (email: string, password = PASSWORD) =>
  request('POST /auth/login', { body: { email, password, account: 'staff' } })
