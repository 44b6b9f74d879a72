import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

async function buildTransfer() {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const next = await buildStaff(store, { role: 'sales' })
  const root = await buildSuperAdmin()
  const ask = (line: string, token: string, body: object) => request(line, { token, body })
  const asSuperAdmin = () =>
    ask(`POST /super-admin/stores/${store.id}/owner`, root.token, { user_id: next.id })
  const asOwner = () =>
    ask('POST /admin/owner/transfer', owner.token, { user_id: next.id, current_password: PASSWORD })
  return { store, owner, next, root, asSuperAdmin, asOwner }
}

/** The texts of the mails about a new owner, which each of these addresses gets once. */
async function mailsTo(...addresses: string[]): Promise<string[]> {
  await drainJobs()
  const received = addresses.map((address) => mailbox.mails(address))
  assert.deepEqual(
    received.map(({ length }) => length),
    addresses.map(() => 1),
  )
  return received.flat().map(({ text }) => text)
}

test('a transfer by a super-admin is mailed to the former and the new owner, with who did it', async () => {
  const { owner, next, root, asSuperAdmin } = await buildTransfer()

  const { status } = await asSuperAdmin()

  assert.equal(status, 200)
  for (const text of await mailsTo(owner.email, next.email)) {
    assert.match(text, /Someone who runs the service/)
    for (const address of [owner.email, next.email, root.email]) assert.ok(text.includes(address), address)
  }
})

test('when an owner transfers the store, both the former and the new owner are mailed', async () => {
  const { owner, next, root, asOwner } = await buildTransfer()

  const { status } = await asOwner()

  assert.equal(status, 200)
  for (const text of await mailsTo(owner.email, next.email)) {
    assert.match(text, /The owner of/)
    assert.ok(!text.includes(root.email))
  }
})

test("a transfer by a super-admin is in the platform's and in the store's audit log", async () => {
  const { store, next, owner, root, asSuperAdmin } = await buildTransfer()

  await asSuperAdmin()
  const query = 'action=postSuperAdminStoresIdOwner'
  const own = await request(`GET /admin/audit-log?${query}`, { token: next.token })
  const all = await request(`GET /super-admin/audit-log?${query}&store_id=${store.id}`, { token: root.token })

  for (const { data } of [own, all]) {
    assert.equal(data.length, 1)
    assert.partialDeepStrictEqual(data[0].actor, { type: 'super_admin', email: root.email })
    assert.match(JSON.stringify(data[0].before), new RegExp(owner.id))
    assert.match(JSON.stringify(data[0].after), new RegExp(next.id))
  }
})
