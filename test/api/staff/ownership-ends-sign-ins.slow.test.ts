import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { sendResetLink } from '#shared/identity/passwords/request-password-reset.ts'
import { IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { transferOwnership } from '#shared/staff/ownership/transfer-ownership.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { request } from '#test/support/processes/app.ts'
import { buildPerson, buildProvider } from '#test/support/processes/identity-provider.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'
import { Visitor } from '#test/support/processes/visitor.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

const STAFF_LINKS = {
  staff_password: 'https://former.example/password',
  staff_email: 'https://former.example/email',
}
const LINKS = { ...STAFF_LINKS, order: 'https://shop.example/order' }

async function buildTransfer() {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const next = await buildStaff(store, { role: 'administrator' })
  const root = await buildSuperAdmin()
  const body = { user_id: next.id }
  const byOwner = () =>
    request('POST /admin/owner/transfer', {
      token: owner.token,
      body: { ...body, current_password: PASSWORD },
    })
  const bySuperAdmin = () =>
    request(`POST /super-admin/stores/${store.id}/owner`, { token: root.token, body })
  return { store, owner, next, byOwner, bySuperAdmin }
}
type Transfer = Awaited<ReturnType<typeof buildTransfer>>

/** Sets up what only an owner may: a provider for staff and the links of mails to staff. */
async function setUpSignIns({ store, owner }: Transfer) {
  await buildProvider(store, { code: 'office', name: 'Office', audience: 'staff' })
  await buildProvider(store, { code: 'old-office', audience: 'staff', isActive: false })
  await buildProvider(store, { code: 'acme' })
  const { status } = await request('PATCH /admin/settings', { token: owner.token, body: { links: LINKS } })
  assert.equal(status, 200)
}

async function signIn({ store }: Transfer, email: string, provider: string) {
  const { code, error } = await new Visitor().signIn(store, buildPerson({ email }), { provider })
  assert.ok(code, error)
  const named = provider === 'acme' ? { store } : {}
  return (await request('POST /auth/oauth/exchange', { ...named, body: { code } })).data
}

/** Returns the token in the newest mail to an address. */
async function mailedToken(email: string): Promise<string> {
  await drainJobs()
  return tokenIn(mailbox.mails(email)[0] ?? assert.fail(`no mail to ${email}`))
}

const choosePassword = (token: string) =>
  request('POST /auth/password/reset', { body: { token, password: 'staple by staple' } })

const LINK_INVALID = { status: 400, error_code: 'auth.link_invalid' }

const TRANSFERS = { 'by the owner': 'byOwner', 'by a super-admin': 'bySuperAdmin' } as const

for (const [by, transfer] of Object.entries(TRANSFERS)) {
  test(`a transfer ${by} deactivates the providers for staff, closes their sessions and keeps those for customers`, async () => {
    const scene = await buildTransfer()
    await setUpSignIns(scene)
    const { access_token, refresh_token } = await signIn(scene, scene.next.email, 'office')
    const customer = await signIn(scene, buildPerson().email ?? '', 'acme')

    const { status, data } = await scene[transfer]()

    assert.equal(status, 200)
    assert.deepEqual(data.deactivated_providers, ['office'])
    const providers = await inStore(scene.store.id, (tx) => IdentityProvider.in(tx).orderBy('code'))
    assert.deepEqual(Object.fromEntries(providers.map(({ code, isActive }) => [code, isActive])), {
      acme: true,
      office: false,
      'old-office': false,
    })
    const { error_code } = await request('GET /auth/me', { token: access_token })
    const refreshed = await request('POST /auth/refresh', { body: { refresh_token } })
    const stays = await request('GET /auth/me', { store: scene.store, token: customer.access_token })
    assert.equal(error_code, 'auth.session_revoked')
    assert.equal(refreshed.error_code, 'auth.session_revoked')
    assert.equal(stays.status, 200)
  })

  test(`a transfer ${by} resets the links of mails to staff and keeps those to customers`, async () => {
    const scene = await buildTransfer()
    await setUpSignIns(scene)

    const { data } = await scene[transfer]()

    const { data: settings } = await request('GET /admin/settings', { token: scene.next.token })
    assert.deepEqual(data.reset_links, ['staff_password', 'staff_email'])
    assert.deepEqual(settings.links, { order: LINKS.order })
  })

  test(`a transfer ${by} voids the links that were mailed to staff before`, async () => {
    const scene = await buildTransfer()
    const { owner, next } = scene
    await setUpSignIns(scene)
    const sales = await buildStaff(scene.store, { role: 'sales' })
    const invited = `invited-${sales.email}`
    await request('POST /admin/users', {
      token: owner.token,
      body: { email: invited, firstname: 'Mary', lastname: 'Jackson', role: 'sales' },
    })
    await request('POST /auth/password/forgot', { body: { email: sales.email } })
    const moved = `moved-${next.email}`
    await request('POST /auth/email', {
      token: next.token,
      body: { email: moved, current_password: PASSWORD },
    })
    const [invitation, reset] = [await mailedToken(invited), await mailedToken(sales.email)]
    const change = await mailedToken(moved)

    const { status } = await scene[transfer]()

    const confirmed = await request('POST /auth/email/confirm', {
      token: next.token,
      body: { token: change },
    })
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(await choosePassword(invitation), LINK_INVALID)
    assert.partialDeepStrictEqual(await choosePassword(reset), LINK_INVALID)
    assert.partialDeepStrictEqual(confirmed, LINK_INVALID)
  })

  test(`after a transfer ${by} an invited member requests a new password and chooses it`, async () => {
    const scene = await buildTransfer()
    const email = `invited-${scene.next.email}`
    const body = { email, firstname: 'Mary', lastname: 'Jackson', role: 'sales' }
    await request('POST /admin/users', { token: scene.owner.token, body })
    await mailedToken(email)
    await scene[transfer]()

    await request('POST /auth/password/forgot', { body: { email } })

    assert.equal((await choosePassword(await mailedToken(email))).status, 200)
  })

  test(`the mails and the audit entry of a transfer ${by} name the ended providers and links`, async () => {
    const scene = await buildTransfer()
    await setUpSignIns(scene)
    await drainJobs()
    mailbox.clear()

    await scene[transfer]()

    await drainJobs()
    for (const { email } of [scene.owner, scene.next]) {
      const text = mailbox.mails(email).at(-1)?.text ?? ''
      assert.match(text, /Office \(office\)/)
      assert.match(text, /staff_password, staff_email/)
      assert.match(text, /Links that were mailed to the staff before/)
    }
    const { data } = await request('GET /admin/audit-log?resource_type=owner', { token: scene.next.token })
    assert.partialDeepStrictEqual(data[0].after, {
      deactivated_providers: ['office'],
      reset_links: ['staff_password', 'staff_email'],
    })
  })
}

test('after a transfer and the deletion of the former owner no provider for staff is offered', async () => {
  const scene = await buildTransfer()
  await setUpSignIns(scene)
  await scene.byOwner()
  const { status } = await request(`DELETE /admin/users/${scene.owner.id}`, { token: scene.next.token })

  const { data } = await request('GET /auth/oauth/providers?audience=staff', { store: scene.store })

  assert.equal(status, 200)
  assert.deepEqual(data, [])
})

test('a transfer without providers and links for staff names none of them in its mails', async () => {
  const scene = await buildTransfer()

  const { data } = await scene.byOwner()

  await drainJobs()
  const text = mailbox.mails(scene.next.email).at(-1)?.text ?? ''
  assert.partialDeepStrictEqual(data, { deactivated_providers: [], reset_links: [] })
  assert.doesNotMatch(text, /Identity providers|Links in mails/)
})

test('a transfer keeps the links that were mailed to customers', async () => {
  const scene = await buildTransfer()
  const { store } = scene
  const customer = await buildCustomer(store)
  await request('POST /auth/password/forgot', { store, body: { email: customer.email } })
  const token = await mailedToken(customer.email)

  await scene.byOwner()

  assert.equal((await choosePassword(token)).status, 200)
})

test('a link requested while the store is transferred is void after the transfer', async () => {
  const { store, next } = await buildTransfer()
  const issuing = await pending(
    (work) => inStore(store.id, work),
    (tx) => sendResetLink(tx, { type: 'staff', id: next.id }, newId()),
  )
  const transferred = inStore(store.id, (tx) =>
    transferOwnership(tx, { successorId: next.id, superAdmin: null, deactivateProviders: async () => [] }),
  )
  await untilOneWaits()
  issuing.commit()
  await issuing.done
  await transferred

  await drainJobs()
  const mail = mailbox.mails(next.email).find(({ text }) => text.includes('#token='))
  assert.partialDeepStrictEqual(await choosePassword(tokenIn(mail ?? assert.fail())), LINK_INVALID)
})
