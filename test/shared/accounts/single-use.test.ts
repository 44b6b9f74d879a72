import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { AccountLink } from '#shared/accounts/account-link.ts'
import { issueLink } from '#shared/accounts/issue-link.ts'
import { type LinkToken, readLinkToken } from '#shared/accounts/link-token.ts'
import { RecoveryCode } from '#shared/accounts/two-factor/recovery-code.ts'
import { TwoFactor } from '#shared/accounts/two-factor/two-factor.ts'
import { findCustomerCredentials } from '#shared/customers/find-credentials.ts'
import { signInCustomer } from '#shared/customers/sign-in-customer.ts'
import { resetPassword } from '#shared/identity/reset-password.ts'
import { now } from '#shared/platform/clock.ts'
import { inStore, type StoreTx } from '#shared/platform/store-scope.ts'
import { type BuiltStore, buildStore } from '#test/support/build.ts'
import { buildCustomer } from '#test/support/build-accounts.ts'
import { buildTwoFactor, codeOf, STEP_MS } from '#test/support/build-two-factor.ts'
import { moveClock } from '#test/support/clock.ts'

const device = { ip: null, userAgent: null }
const TRIES = 50

/** How many of so many at once are let in; the rest must be refused by this code. */
async function letIn(attempt: () => Promise<unknown>, refusal: string): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: TRIES }, attempt))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.deepEqual(new Set(refused.map(({ reason }) => reason.code)), new Set([refusal]))
  return TRIES - refused.length
}

// As many as have a connection each, so that all of them read before any writes.
const NAIVE_TRIES = 5

/** The control: looks, then writes. How many think that they were the first. */
async function letInNaively(
  { id }: BuiltStore,
  isUnused: (tx: StoreTx) => Promise<boolean>,
  use: (tx: StoreTx) => PromiseLike<unknown>,
): Promise<number> {
  let looked = 0
  const allLooked = Promise.withResolvers<void>()
  const attempt = () =>
    inStore(id, async (tx) => {
      const mayEnter = await isUnused(tx)
      if (++looked === NAIVE_TRIES) allLooked.resolve()
      await allLooked.promise
      if (mayEnter) await use(tx)
      return mayEnter
    })
  const entered = await Promise.all(Array.from({ length: NAIVE_TRIES }, attempt))
  return entered.filter(Boolean).length
}

async function buildProtected() {
  const store = await buildStore()
  const { id, email } = await buildCustomer(store)
  const { secret, recoveryCodes } = await buildTwoFactor(store, { type: 'customer', id })
  const found = await findCustomerCredentials(store.id, email)
  assert.ok(found)
  const signIn = (proof: object) => () => inStore(store.id, (tx) => signInCustomer(tx, found, device, proof))
  return { store, secret, recoveryCodes, signIn }
}

test('of 50 who come with one code of the app, one is let in', async () => {
  const { store, secret, signIn } = await buildProtected()
  moveClock(STEP_MS)

  assert.equal(await letIn(signIn({ totpCode: codeOf(secret) }), 'auth.totp_invalid'), 1)

  const naive = await letInNaively(
    store,
    async (tx) => ((await TwoFactor.in(tx).first())?.lastStep ?? 0) < Number.MAX_SAFE_INTEGER,
    (tx) => TwoFactor.in(tx).patch({ lastStep: 1 }),
  )
  assert.ok(naive > 1, 'looking first lets several in')
})

test('of 50 who come with one recovery code, one is let in', async () => {
  const { store, recoveryCodes, signIn } = await buildProtected()

  assert.equal(await letIn(signIn({ recoveryCode: recoveryCodes[0] }), 'auth.totp_invalid'), 1)

  const naive = await letInNaively(
    store,
    async (tx) => (await RecoveryCode.in(tx).whereNull('used_at').resultSize()) === 9,
    (tx) => RecoveryCode.in(tx).patch({ usedAt: now() }),
  )
  assert.ok(naive > 1, 'looking first lets several in')
})

test('of 50 who come with one link, one sets the password', async () => {
  const store = await buildStore()
  const { id, email } = await buildCustomer(store)
  const issue = async (): Promise<LinkToken> => {
    const link = await inStore(store.id, (tx) => issueLink(tx, { type: 'customer', id }, 'reset_password'))
    const token = readLinkToken(link?.token ?? '')
    assert.ok(token)
    return token
  }
  const token = await issue()
  let n = 0

  assert.equal(await letIn(() => resetPassword(token, `password ${n++}`, device), 'auth.link_invalid'), 1)

  assert.ok((await findCustomerCredentials(store.id, email))?.passwordHash)
  const { id: linkId } = await issue()
  const naive = await letInNaively(
    store,
    async (tx) => (await AccountLink.in(tx).findById(linkId))?.usedAt === null,
    (tx) => AccountLink.in(tx).findById(linkId).patch({ usedAt: now() }),
  )
  assert.ok(naive > 1, 'looking first lets several in')
})
