import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyPlatformToken } from '#shared/identity/sessions/access-token.ts'
import { closeSessionsOfAccount } from '#shared/identity/sessions/close-sessions.ts'
import { inPlatform, inStore, type PlatformTx, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { openSupportSession } from '#shared/super-admin/open-support-session.ts'
import { closeEverySuperAdminSession } from '#shared/super-admin/super-admin.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { request } from '#test/support/processes/app.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

async function scene() {
  const store = await buildStore()
  const root = await buildSuperAdmin()
  const { sessionId } = verifyPlatformToken(root.token)
  const visit = { superAdmin: { ...root, sessionId }, reason: 'Ticket 4711', minutes: 10 }
  const device = { ip: null, userAgent: null }
  const open = (tx: StoreTx) => openSupportSession(tx, visit, device)
  return { store, root, open }
}

const errorOf = async (token: string): Promise<string | null> =>
  (await request('GET /admin/settings', { token })).error_code

test('a support sign-in during a sign-out everywhere returns 401 auth.session_revoked', async () => {
  const { store, root } = await scene()
  const signOut = await pending<PlatformTx>(inPlatform, (tx) =>
    closeSessionsOfAccount(tx, { type: 'super_admin', id: root.id }, 'logout_all'),
  )

  const body = { reason: 'Ticket 4711', minutes: 10 }
  const opened = request(`POST /super-admin/stores/${store.id}/sign-in`, { token: root.token, body })
  await untilOneWaits()
  signOut.commit()
  await signOut.done

  assert.partialDeepStrictEqual(await opened, { status: 401, error_code: 'auth.session_revoked' })
})

const SIGN_OUTS = {
  'of the super-admin': (id: string) =>
    inPlatform((tx) => closeSessionsOfAccount(tx, { type: 'super_admin', id }, 'logout_all')),
  'of all super-admins': () => inPlatform(closeEverySuperAdminSession),
}

for (const [whom, signOutEverywhere] of Object.entries(SIGN_OUTS))
  test(`a sign-out everywhere ${whom} ends a support session that is opened while it waits`, async () => {
    const { store, root, open } = await scene()
    let support = { accessToken: '' }
    let signOut: Promise<unknown> | undefined
    const opening = await pending(
      (work) => inStore(store.id, work),
      async (tx) => {
        // The lock of the super-admin, as another support session holds it.
        await tx.knex('super_admins').where('id', root.id).forShare().first()
        signOut = signOutEverywhere(root.id)
        await untilOneWaits()
        support = await open(tx)
      },
    )

    opening.commit()
    await Promise.all([opening.done, signOut])

    assert.equal(await errorOf(support.accessToken), 'auth.session_revoked')
  })

test('control: a read without the lock does not see a sign-out that has not committed', async () => {
  const { store, root } = await scene()
  const signOut = await pending<PlatformTx>(inPlatform, (tx) =>
    closeSessionsOfAccount(tx, { type: 'super_admin', id: root.id }, 'logout_all'),
  )
  const isOpen = () =>
    inStore(store.id, async ({ knex }) =>
      Boolean(await knex('super_admins').where({ id: root.id, signed_out_at: null }).first('id')),
    )

  assert.equal(await isOpen(), true)
  signOut.commit()
  await signOut.done
  assert.equal(await isOpen(), false)
})
