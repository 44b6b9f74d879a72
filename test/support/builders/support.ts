import assert from 'node:assert/strict'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { request } from '#test/support/processes/app.ts'

/** A super-admin's support session in a store with an owner. `allow` grants the owner's consent to changes. */
export async function buildSupport(minutes = 10) {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const root = await buildSuperAdmin()
  const signIn = await request(`POST /super-admin/stores/${store.id}/sign-in`, {
    token: root.token,
    body: { reason: 'Ticket 4711', minutes },
  })
  const allow = async (body: object = {}) => {
    const granted = await request('PUT /admin/support-access', { token: owner.token, body })
    assert.equal(granted.status, 200, granted.error ?? '')
    return granted.data
  }
  return { store, owner, root, signIn, token: signIn.data.access_token as string, allow }
}
