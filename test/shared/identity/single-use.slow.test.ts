import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resetPassword } from '#shared/accounts/reset-password.ts'
import { changeEmail } from '#shared/identity/email-change/change-email.ts'
import { AccountLink, issueLink, type LinkToken, readLinkToken } from '#shared/identity/links/link.ts'
import { completeSignIn } from '#shared/identity/sign-in/complete-sign-in.ts'
import { findCredentialsToSignIn } from '#shared/identity/sign-in/find-credentials.ts'
import { verifySecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import '#test/support/database.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inScope, inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import {
  buildSuperAdminTwoFactor,
  buildTwoFactor,
  codeOf,
  STEP_MS,
} from '#test/support/builders/two-factor.ts'
import { moveClock } from '#test/support/clock.ts'
import { countNaiveSuccesses, countSuccesses } from '#test/support/races/single-use.ts'

const device = { ip: null, userAgent: null }

async function buildProtected() {
  const store = await buildStore()
  const { id, email } = await buildCustomer(store)
  const { secret, recoveryCodes } = await buildTwoFactor(store, { type: 'customer', id })
  const { found } = await findCredentialsToSignIn('customer', store.id, email)
  assert.ok(found)
  const signIn = (proof: object) => () => inStore(store.id, (tx) => completeSignIn(tx, found, device, proof))
  return { store, secret, recoveryCodes, signIn }
}

test('one of 50 concurrent sign-ins with one TOTP code succeeds', async () => {
  const { store, secret, signIn } = await buildProtected()
  moveClock(STEP_MS)

  assert.equal(await countSuccesses(signIn({ totpCode: codeOf(secret) }), 'auth.totp_invalid'), 1)

  const naive = await countNaiveSuccesses(
    store,
    async ({ knex }) => (await knex('two_factor').first('last_step')).last_step < Number.MAX_SAFE_INTEGER,
    ({ knex }) => knex('two_factor').update({ last_step: 1 }),
  )
  assert.ok(naive > 1, 'a read before the write lets several sign in')
})

test('one of 50 concurrent sign-ins with one recovery code succeeds', async () => {
  const { store, recoveryCodes, signIn } = await buildProtected()

  assert.equal(await countSuccesses(signIn({ recoveryCode: recoveryCodes[0] }), 'auth.totp_invalid'), 1)

  const naive = await countNaiveSuccesses(
    store,
    async ({ knex }) => (await knex('recovery_codes').whereNull('used_at')).length === 9,
    ({ knex }) => knex('recovery_codes').update({ used_at: now() }),
  )
  assert.ok(naive > 1, 'a read before the write lets several sign in')
})

test('one of 50 concurrent super-admin sign-ins with one code succeeds', async () => {
  const root = await buildSuperAdmin()
  const { secret, recoveryCodes } = await buildSuperAdminTwoFactor(root)
  const { found } = await findCredentialsToSignIn('super_admin', null, root.email)
  assert.ok(found)
  const signIn = (proof: object) => () => inScope(null, (tx) => completeSignIn(tx, found, device, proof))
  moveClock(STEP_MS)

  assert.equal(await countSuccesses(signIn({ totpCode: codeOf(secret) }), 'auth.totp_invalid'), 1)
  assert.equal(await countSuccesses(signIn({ recoveryCode: recoveryCodes[0] }), 'auth.totp_invalid'), 1)

  // Sign-ins share their lock, so the row alone must prevent reuse. This call takes no lock.
  const pass = (proof: object) => () =>
    inScope(null, (tx) => verifySecondFactor(tx, { type: 'super_admin', id: root.id }, proof))
  moveClock(2 * STEP_MS)
  assert.equal(await countSuccesses(pass({ totpCode: codeOf(secret) }), 'auth.totp_invalid'), 1)
  assert.equal(await countSuccesses(pass({ recoveryCode: recoveryCodes[1] }), 'auth.totp_invalid'), 1)

  const naive = await countNaiveSuccesses(
    await buildStore(),
    async ({ knex }) =>
      (await knex('super_admin_two_factor').first('last_step')).last_step < Number.MAX_SAFE_INTEGER,
    ({ knex }) => knex('super_admin_two_factor').update({ last_step: 1 }),
  )
  assert.ok(naive > 1, 'a read before the write lets several sign in')
})

test('one of 50 concurrent resets with one link sets the password', async () => {
  const store = await buildStore()
  const { id, email } = await buildCustomer(store)
  const issue = async (): Promise<LinkToken> => {
    const link = await inStore(store.id, (tx) => issueLink(tx, { type: 'customer', id }, 'reset_password'))
    return readLinkToken(link?.token ?? '')
  }
  const token = await issue()
  const passwordHash = await hashPassword('staple by staple')
  const reset = () => inStore(store.id, (tx) => resetPassword(tx, token, { passwordHash, device }))

  assert.equal(await countSuccesses(reset, 'auth.link_invalid'), 1)

  assert.equal((await findCredentialsToSignIn('customer', store.id, email)).found?.passwordHash, passwordHash)
  const { id: linkId } = await issue()
  const naive = await countNaiveSuccesses(
    store,
    async (tx) => (await AccountLink.in(tx).findById(linkId))?.usedAt === null,
    (tx) => AccountLink.in(tx).findById(linkId).patch({ usedAt: now() }),
  )
  assert.ok(naive > 1, 'a read before the write lets several use the link')
})

test('one of 50 concurrent confirmations with one link changes the address', async () => {
  const store = await buildStore()
  const { id } = await buildCustomer(store)
  const account = { type: 'customer', id } as const
  const email = 'moved-once@example.test'
  const link = await inStore(store.id, (tx) => issueLink(tx, account, 'change_email', { email }))
  const token = readLinkToken(link?.token ?? '')
  const change = () => inStore(store.id, (tx) => changeEmail(tx, token, { account, keep: newId(), device }))

  assert.equal(await countSuccesses(change, 'auth.link_invalid'), 1)

  const events = await inStore(store.id, (tx) => tx.knex('events').where('type', 'customer.updated'))
  assert.equal(events.length, 1)
})
