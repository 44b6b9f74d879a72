import '#shared/all-principals.ts'
import { argon2Sync } from 'node:crypto'
import { Customer } from '#shared/customers/customer.ts'
import { addToCount } from '#shared/customers/customer-counts.ts'
import { ensureDefaultGroup } from '#shared/customers/customer-group.ts'
import { indexCustomer } from '#shared/customers/customer-words.ts'
import { normalizeEmail } from '#shared/identity/email.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { insertApiToken } from '#shared/staff/api-tokens/insert-api-token.ts'
import { insertStaffMember } from '#shared/staff/members/insert-staff-member.ts'
import type { Right } from '#shared/staff/rights.ts'
import { Role } from '#shared/staff/role.ts'
import { markStaffEmailVerified } from '#shared/staff/staff-email.ts'
import { nextNumber } from '#test/support/builders/store.ts'

/** The password of every built account. */
export const PASSWORD = 'correct horse battery'

let hashed: Promise<string> | undefined

/** Hashed once per process, since hashing is slow. */
export const passwordHash = (): Promise<string> => {
  hashed ??= hashPassword(PASSWORD)
  return hashed
}

/** A hash with the cost of slower machines: 1 MiB, one pass. */
export function hashAtLessCost(password: string): string {
  const salt = Buffer.from('0123456789abcdef')
  const cost = { memory: 1024, passes: 1, parallelism: 1, tagLength: 16 }
  const hash = argon2Sync('argon2id', { message: password, nonce: salt, ...cost })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=1024,t=1,p=1$${text(salt)}$${text(hash)}`
}

const device = { ip: '127.0.0.1', userAgent: 'test' }

export interface BuiltAccount {
  id: string
  email: string
  password: string
  /** A valid access token. */
  token: string
  refreshToken: string
}

interface GivenCustomer {
  email: string
  firstname: string
  lastname: string
  telephone: string | null
  acceptsMarketing: boolean
  isActive: boolean
  customerGroupId: string
  verifiedAt: Date | null
  createdAt: Date
}

/** A signed-in customer of the store. Emits no event. */
export async function buildCustomer(
  store: { id: string },
  given: Partial<GivenCustomer> = {},
): Promise<BuiltAccount> {
  const email = given.email ?? `customer-${nextNumber()}@example.test`
  const hash = await passwordHash()
  return inStore(store.id, async (tx) => {
    const at = now()
    const customer = await Customer.in(tx).insert({
      customerGroupId: await ensureDefaultGroup(tx),
      firstname: 'Ada',
      lastname: 'Byron',
      acceptsMarketing: false,
      isActive: true,
      ...given,
      email,
      emailNormalized: normalizeEmail(email),
      passwordHash: hash,
      createdAt: given.createdAt ?? at,
      updatedAt: at,
    })
    await addToCount(tx, customer.customerGroupId)
    await indexCustomer(tx, customer)
    const { id } = customer
    const { accessToken, refreshToken } = await openSession(tx, { type: 'customer', id }, device)
    return { id, email, password: PASSWORD, token: accessToken, refreshToken }
  })
}

/** A signed-in staff member of the store, who has proven the address; `owner` is the store's only owner. */
export async function buildStaff(
  store: { id: string },
  { role, email = `staff-${nextNumber()}@example.test` }: { role: string; email?: string },
): Promise<BuiltAccount> {
  const hash = await passwordHash()
  return inStore(store.id, async (tx) => {
    const { id } = await insertStaffMember(tx, {
      email,
      firstname: 'Grace',
      lastname: 'Hopper',
      role,
      isOwner: role === 'owner',
      passwordHash: hash,
    })
    await markStaffEmailVerified(tx, id)
    const { accessToken, refreshToken } = await openSession(tx, { type: 'staff', id }, device)
    return { id, email, password: PASSWORD, token: accessToken, refreshToken }
  })
}

/** A custom role of the store. */
export const buildRole = (
  store: { id: string },
  { name, rights }: { name: string; rights: readonly Right[] },
): Promise<Role> =>
  inStore(store.id, (tx) =>
    Role.in(tx).insert({ name, rights: [...rights], createdAt: now(), updatedAt: now() }),
  )

/** An API token of the store with these permissions. */
export async function buildApiToken(
  store: { id: string },
  ...rights: Right[]
): Promise<{ id: string; token: string }> {
  const { id: actorId } = await buildStaff(store, { role: 'administrator' })
  const { token, text } = await inStore(store.id, (tx) =>
    insertApiToken(tx, actorId, { name: 'Program', rights, mode: 'live' }),
  )
  return { id: token.id, token: text }
}

/** A valid access token of a customer at the test's time: earlier ones may have expired since. */
export async function signInAgain(store: { id: string }, { id }: Pick<BuiltAccount, 'id'>): Promise<string> {
  const { accessToken } = await inStore(store.id, (tx) => openSession(tx, { type: 'customer', id }, device))
  return accessToken
}
