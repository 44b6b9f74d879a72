import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { StoreDomain } from '#shared/stores/domains/store-domain.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { nameServer } from '#test/support/processes/name-server.ts'

beforeEach(() => mailbox.clear())

interface Caller {
  token: string
}

/** A store without a domain, with an owner and an administrator. */
async function scene() {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  const admin = await buildStaff(store, { role: 'administrator' })
  await inStore(store.id, (tx) => StoreDomain.in(tx).delete())
  const claim = async ({ token }: Caller) => {
    const domain = `shop-${nextNumber()}.example`
    return (await request('POST /admin/domains', { token, body: { domain } })).data
  }
  const verify = async (claimed: Awaited<ReturnType<typeof claim>>, { token }: Caller) => {
    nameServer.publish(claimed.verification.name, claimed.verification.value)
    await request(`POST /admin/domains/${claimed.id}/verify`, {
      token,
      headers: { Prefer: 'respond-async' },
    })
    await drainJobs()
  }
  const add = async (caller: Caller) => {
    const claimed = await claim(caller)
    await verify(claimed, caller)
    return claimed
  }
  const remove = ({ id }: { id: string }, { token }: Caller) =>
    request(`DELETE /admin/domains/${id}`, { token })
  /** The mails to the owner about pages since the last call. */
  const mails = async (): Promise<string[]> => {
    await drainJobs()
    const texts = mailbox
      .mails(owner.email)
      .filter(({ subject }) => subject.startsWith('Pages and addresses'))
      .map(({ text }) => text)
    mailbox.clear()
    return texts
  }
  return { store, owner, admin, claim, verify, add, remove, mails }
}

const before = (domain: string) => new RegExp(`domain, before.*//${domain}`)
const after = (domain: string) => new RegExp(`domain, now.*//${domain}`)

test('the first verified domain is mailed to the owner with the member who claimed it', async () => {
  const { admin, add, mails } = await scene()

  const { domain } = await add(admin)

  const [text = '', ...more] = await mails()
  assert.deepEqual(more, [])
  assert.ok(text.includes(`added by ${admin.email}, was verified`))
  assert.match(text, before('127.0.0.1'))
  assert.match(text, after(domain))
})

test('a domain that a removed member claimed is verified and mailed', async () => {
  const { owner, admin, claim, verify, mails } = await scene()
  const claimed = await claim(admin)
  await request(`DELETE /admin/users/${admin.id}`, { token: owner.token })

  await verify(claimed, owner)

  const [text = ''] = await mails()
  assert.match(text, after(claimed.domain))
})

test('a domain that is verified later moves no pages, even if it was claimed first', async () => {
  const { store, admin, claim, verify, add, mails } = await scene()
  const early = await claim(admin)
  const { domain } = await add(admin)
  await mails()
  const customer = { email: `jane-${nextNumber()}@mail.example`, password: 'correct horse battery' }
  await request('POST /auth/register', { store, body: { ...customer, firstname: 'Jane', lastname: 'Doe' } })

  await verify(early, admin)
  assert.deepEqual(await mails(), [])
  await request('POST /auth/password/forgot', { store, body: { email: customer.email } })
  await drainJobs()

  assert.match(mailbox.mails(customer.email).at(-1)?.text ?? '', new RegExp(`//${domain}[:/]`))
})

test('the removal of the primary domain is mailed to the owner with the next one', async () => {
  const { admin, add, remove, mails } = await scene()
  const [first, second] = [await add(admin), await add(admin)]
  await mails()

  await remove(first, admin)

  const [text = '', ...more] = await mails()
  assert.deepEqual(more, [])
  assert.ok(text.includes(`${admin.email} changed settings`))
  assert.match(text, before(first.domain))
  assert.match(text, after(second.domain))
})

test('the removal of another domain, or of an unverified one, is not mailed', async () => {
  const { admin, claim, add, remove, mails } = await scene()
  await add(admin)
  const [second, claimed] = [await add(admin), await claim(admin)]
  await mails()

  await remove(second, admin)
  await remove(claimed, admin)

  assert.deepEqual(await mails(), [])
})

test('the mails about two domains removed at the same time lead to the one that remains', async () => {
  const { admin, add, remove, mails } = await scene()
  const [first, second, third] = [await add(admin), await add(admin), await add(admin)]
  await mails()

  await Promise.all([remove(first, admin), remove(second, admin)])

  assert.match((await mails()).join(), after(third.domain))
})

test('a domain that a super-admin assigns or removes is mailed to the owner', async () => {
  const { store, mails } = await scene()
  const { token, email } = await buildSuperAdmin()
  const path = `/super-admin/stores/${store.id}/domains`
  const domain = `shop-${nextNumber()}.example`

  const { data } = await request(`POST ${path}`, { token, body: { domain } })
  const [assigned = ''] = await mails()
  await request(`DELETE ${path}/${data.id}`, { token })
  const [removed = ''] = await mails()

  for (const text of [assigned, removed]) assert.ok(text.includes(`Someone who runs the service, ${email}`))
  assert.match(assigned, after(domain))
  assert.match(removed, before(domain))
})

test('the removal of a domain needs a sign-in of the last hour', async () => {
  const { store, admin, add, remove } = await scene()
  const claimed = await add(admin)
  const { refreshToken } = await buildStaff(store, { role: 'administrator' })
  moveClock(61 * MINUTE_MS)
  const { data } = await request('POST /auth/refresh', { body: { refresh_token: refreshToken } })

  const response = await remove(claimed, { token: data.access_token })

  assert.partialDeepStrictEqual(response, { status: 403, error_code: 'auth.reauthentication_required' })
})
