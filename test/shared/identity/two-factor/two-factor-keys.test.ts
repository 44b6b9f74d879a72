import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifySecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { inScope, inStore } from '#shared/platform/db/store-scope.ts'
import { UnsealError } from '#shared/platform/secrets/seal.ts'
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

async function buildSealed() {
  const store = await buildStore()
  const { id } = await buildCustomer(store)
  const account = { type: 'customer', id } as const
  const { secret } = await buildTwoFactor(store, account)
  const sealed = (): Promise<string> =>
    inStore(store.id, async (tx) => (await tx.knex('two_factor').first('sealed_secret')).sealed_secret)
  const pass = (code = codeOf(secret)) =>
    inStore(store.id, (tx) => verifySecondFactor(tx, account, { totpCode: code }))
  return { store, secret, sealed, pass }
}

test('a stored secret is encrypted; another account cannot decrypt it', async () => {
  const [mine, other] = [await buildSealed(), await buildSealed()]
  const stolen = await mine.sealed()
  assert.ok(!stolen.includes(mine.secret))
  await inStore(other.store.id, (tx) => tx.knex('two_factor').update({ sealed_secret: stolen }))
  moveClock(STEP_MS)

  await mine.pass()
  await assert.rejects(other.pass(codeOf(mine.secret)), UnsealError)
})

test("another super-admin cannot decrypt a super-admin's secret", async () => {
  const [root, other] = [await buildSuperAdmin(), await buildSuperAdmin()]
  const [{ secret }] = [await buildSuperAdminTwoFactor(root), await buildSuperAdminTwoFactor(other)]
  const rowOf = ({ id }: { id: string }) => db()('super_admin_two_factor').where('account_id', id)
  const pass = ({ id }: { id: string }) =>
    inScope(null, (tx) => verifySecondFactor(tx, { type: 'super_admin', id }, { totpCode: codeOf(secret) }))
  const { sealed_secret } = await rowOf(root).first()
  assert.ok(!sealed_secret.includes(secret))
  await rowOf(other).update({ sealed_secret })
  moveClock(STEP_MS)

  await pass(root)
  await assert.rejects(pass(other), UnsealError)
})
