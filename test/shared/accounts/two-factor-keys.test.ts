import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import { factorOwner } from '#shared/accounts/two-factor/factor-owner.ts'
import { passSecondFactor } from '#shared/accounts/two-factor/second-factor.ts'
import { rereadConfig } from '#shared/platform/config.ts'
import { db } from '#shared/platform/db.ts'
import { inPlatform, inStore } from '#shared/platform/store-scope.ts'
import { factorOwner as ofSuperAdmin } from '#shared/super-admin/factor-owner.ts'
import { buildStore } from '#test/support/build.ts'
import { buildCustomer } from '#test/support/build-accounts.ts'
import { buildSuperAdmin } from '#test/support/build-super-admin.ts'
import { buildSuperAdminTwoFactor, buildTwoFactor, codeOf, STEP_MS } from '#test/support/build-two-factor.ts'
import { moveClock } from '#test/support/clock.ts'

function useKeys(...pairs: string[]) {
  process.env.ENCRYPTION_KEYS = pairs.join(',')
  rereadConfig()
}
const key = (kid: string) => `${kid}:${randomBytes(32).toString('base64url')}`

async function buildSealed() {
  const store = await buildStore()
  const { id } = await buildCustomer(store)
  const account = { type: 'customer', id } as const
  const { secret } = await buildTwoFactor(store, account)
  const sealed = (): Promise<string> =>
    inStore(store.id, async (tx) => (await tx.knex('two_factor').first('sealed_secret')).sealed_secret)
  const pass = (code = codeOf(secret)) =>
    inStore(store.id, (tx) => passSecondFactor(factorOwner(tx, account), { totpCode: code }))
  return { store, secret, sealed, pass }
}

test('the secret is kept sealed, and goes over to a new key when it is used', async () => {
  const [old, fresh] = [key('old'), key('new')]
  useKeys(old)
  const { secret, sealed, pass } = await buildSealed()
  assert.match(await sealed(), /^old\./)
  assert.ok(!(await sealed()).includes(secret))

  useKeys(fresh, old)
  moveClock(STEP_MS)
  await pass()
  assert.match(await sealed(), /^new\./)

  useKeys(fresh)
  moveClock(2 * STEP_MS)
  await pass()
})

test('a sealed secret moved to another account does not open', async () => {
  useKeys(key('one'))
  const [mine, other] = [await buildSealed(), await buildSealed()]
  const stolen = await mine.sealed()
  await inStore(other.store.id, (tx) => tx.knex('two_factor').update({ sealed_secret: stolen }))
  moveClock(STEP_MS)

  await assert.rejects(
    other.pass(codeOf(mine.secret)),
    (error: Error) => !('code' in error && error.code === 'auth.totp_invalid'),
  )
})

test("a super-admin's goes over just so, and opens in no other's row", async () => {
  const [old, fresh] = [key('old'), key('new')]
  useKeys(old)
  const [root, other] = [await buildSuperAdmin(), await buildSuperAdmin()]
  const [{ secret }] = [await buildSuperAdminTwoFactor(root), await buildSuperAdminTwoFactor(other)]
  const rowOf = ({ id }: { id: string }) => db()('super_admin_two_factor').where('super_admin_id', id)
  const sealed = async (): Promise<string> => (await rowOf(root).first()).sealed_secret
  const pass = ({ id }: { id: string }) =>
    inPlatform((knex) => passSecondFactor(ofSuperAdmin(knex, id), { totpCode: codeOf(secret) }))
  assert.match(await sealed(), /^old\./)
  assert.ok(!(await sealed()).includes(secret))

  useKeys(fresh, old)
  moveClock(STEP_MS)
  await pass(root)
  assert.match(await sealed(), /^new\./)

  useKeys(fresh)
  moveClock(2 * STEP_MS)
  await pass(root)
  await rowOf(other).update({ sealed_secret: await sealed() })
  await assert.rejects(
    pass(other),
    (error: Error) => !('code' in error && error.code === 'auth.totp_invalid'),
  )
})
