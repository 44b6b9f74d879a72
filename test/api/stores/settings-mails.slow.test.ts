import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { RIGHTS } from '#shared/staff/rights.ts'
import { buildApiToken, buildRole, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

beforeEach(() => mailbox.clear())

const KEEPER = [
  'system:read',
  'system:write',
  'customers:write',
  'sales:read',
  'sales:write',
  'reports:read',
  'reports:write',
] as const

/** A store with an owner, and another member of the staff who may change links in mails to customers. */
async function scene() {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  await buildRole(store, { name: 'keeper', rights: KEEPER })
  const keeper = await buildStaff(store, { role: 'keeper' })
  const change = async ({ token }: { token: string }, body: object, path = '/admin/settings') =>
    assert.equal((await request(`PATCH ${path}`, { token, body })).status, 200)
  const mails = async () => {
    await drainJobs()
    return mailbox.mails(owner.email).map(({ text }) => text)
  }
  return { store, owner, keeper, change, mails }
}

test('the owner is mailed when a member leads links in mails to another page: who, which, from where to where', async () => {
  const { keeper, change, mails } = await scene()
  await change(keeper, { links: { reset_password: 'https://shop.example/reset' } })
  await mails()
  mailbox.clear()

  await change(keeper, {
    links: { reset_password: 'https://shop.example/~mallory/reset', order: 'https://mallory.example/order' },
  })

  const [text = '', ...more] = await mails()
  assert.deepEqual(more, [])
  assert.ok(text.includes(`${keeper.email} changed settings`))
  assert.match(text, /links\.reset_password, before.*https:\/\/shop\.example\/reset/)
  assert.match(text, /links\.reset_password, now.*https:\/\/shop\.example\/~mallory\/reset/)
  assert.match(text, /links\.order, before.*the default page/)
  assert.match(text, /links\.order, now.*https:\/\/mallory\.example\/order/)
  assert.doesNotMatch(text, /links\.subscription|email, /)
})

test('an owner who changes a page or the address is mailed, too', async () => {
  const { store, owner, change, mails } = await scene()

  await change(owner, { links: { staff_password: 'https://desk.example/' } }, `/admin/stores/${store.id}`)
  await change(owner, { email: 'new@shop.example' })

  const both = await mails()
  assert.equal(both.length, 2)
  assert.match(both.join(), /links\.staff_password, now.*https:\/\/desk\.example\//)
  assert.match(both.join(), /email, now.*new@shop\.example/)
})

test('an address that an API token changes is mailed with the creator of the token', async () => {
  const { store, owner, change, mails } = await scene()
  const program = await buildApiToken(store, ...RIGHTS)

  await change(program, { email: 'eve@mallory.example' })

  const { data: members } = await request('GET /admin/users?role=administrator', { token: owner.token })
  const [text = ''] = await mails()
  assert.ok(text.includes(`An API token of ${members[0].email} changed settings`))
})

test('the owner is mailed when a super-admin changes the address of the store', async () => {
  const { store, change, mails } = await scene()
  const root = await buildSuperAdmin()

  await change(root, { email: 'new@shop.example' }, `/super-admin/stores/${store.id}`)

  const [text = ''] = await mails()
  assert.ok(text.includes(`Someone who runs the service, ${root.email}, changed settings`))
})

test('a change of other settings, or to the same page and address, is not mailed', async () => {
  const { owner, change, mails } = await scene()
  const links = { order: 'https://shop.example/order' }
  await change(owner, { links, email: 'hello@shop.example' })
  await mails()
  mailbox.clear()

  await change(owner, { name: 'Renamed', links, email: 'hello@shop.example' })

  assert.deepEqual(await mails(), [])
})

test('a member changes pages at most 20 times an hour; the owner and a super-admin still make changes', async () => {
  const { store, owner, keeper } = await scene()
  const root = await buildSuperAdmin()
  const setPage = ({ token }: { token: string }, page: string) =>
    request('PATCH /admin/settings', { token, body: { links: { reset_password: page } } })
  for (let n = 1; n <= 20; n++)
    assert.equal((await setPage(keeper, `https://mallory.example/${n}`)).status, 200)

  const refused = await setPage(keeper, 'https://mallory.example/21')
  const byOwner = await setPage(owner, 'https://shop.example/reset')
  const address = { token: root.token, body: { email: 'new@shop.example' } }
  const byOperator = await request(`PATCH /super-admin/stores/${store.id}`, address)

  assert.partialDeepStrictEqual(refused, { status: 429, error_code: 'rate_limit.exceeded' })
  assert.deepEqual(
    { byOwner: byOwner.status, byOperator: byOperator.status },
    { byOwner: 200, byOperator: 200 },
  )
})
