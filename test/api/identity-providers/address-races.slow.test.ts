import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { updateCustomer } from '#shared/customers/account/update-customer.ts'
import { markVerified } from '#shared/customers/account/verify-email.ts'
import { IdentityLink } from '#shared/identity/identity-link.ts'
import type { AccountType } from '#shared/identity/principal.ts'
import { findCodeAccount } from '#shared/identity-providers/one-time-code.ts'
import { codeTokens } from '#shared/identity-providers/tokens.ts'
import { findIntegrations } from '#shared/integrations/find-integrations.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { updateStaffMember } from '#shared/staff/members/update-staff-member.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'
import { readStore } from '#shared/stores/store.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { buildPerson, buildProvider } from '#test/support/processes/identity-provider.ts'
import { Visitor } from '#test/support/processes/visitor.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

const PROVIDERS = { customer: 'acme', staff: 'office' } as const

/** A person whose address at the provider is the verified one of an account. `moveAway` holds a change of it open. */
async function scene(type: AccountType) {
  const store = await buildStore()
  await buildProvider(store)
  await buildProvider(store, { code: 'office', audience: 'staff' })
  const owner = await buildStaff(store, { role: 'owner' })
  const person = buildPerson()
  const { id } =
    type === 'customer'
      ? await buildCustomer(store, { email: person.email })
      : await buildStaff(store, { role: 'sales', email: person.email })
  if (type === 'customer') await inStore(store.id, (tx) => markVerified(tx, id))
  const device = { ip: null, userAgent: null }
  const move = async (tx: StoreTx) => {
    const email = `moved-${nextNumber()}@example.test`
    if (type === 'customer') await updateCustomer(tx, await readStore(tx), id, { email }, undefined)
    else await updateStaffMember(tx, owner.id, id, { email }, { device, findIntegrations })
  }
  const moveAway = () => pending((work) => inStore(store.id, work), move)
  const countLinks = () => inStore(store.id, (tx) => IdentityLink.in(tx).where('account_id', id).resultSize())
  return { store, person, moveAway, countLinks, provider: PROVIDERS[type] }
}

for (const type of ['customer', 'staff'] as const) {
  test(`a first sign-in of ${type} during a change of the address leaves no link of the old mailbox`, async () => {
    const { store, person, moveAway, countLinks, provider } = await scene(type)
    const visitor = new Visitor()
    const callback = await visitor.signInAt(await visitor.begin(store, { provider }), person)
    const change = await moveAway()

    const signIn = visitor.comeBack(callback)
    await untilOneWaits()
    change.commit()
    await Promise.all([change.done, signIn])

    assert.equal(await countLinks(), 0)
  })

  test(`an exchange for ${type} during a change of the address returns auth.oauth_code_invalid`, async () => {
    const { store, person, moveAway, provider } = await scene(type)
    const { code = '' } = await new Visitor().signIn(store, person, { provider })
    const change = await moveAway()

    const exchanged = request('POST /auth/oauth/exchange', { store, body: { code } })
    await untilOneWaits()
    // Control: without the account's lock, the link is still there.
    const token = codeTokens.read(code)
    assert.ok(token && (await inStore(store.id, (tx) => findCodeAccount(tx, token))))
    change.commit()
    await change.done

    assert.partialDeepStrictEqual(await exchanged, { error_code: 'auth.oauth_code_invalid' })
  })
}

test('control: a key share lock does not wait for the change of the address', async () => {
  const { store, person, moveAway } = await scene('staff')
  const change = await moveAway()

  const found = await inStore(store.id, (tx) =>
    StaffMember.in(tx).findOne({ email: person.email }).forKeyShare(),
  )

  assert.equal(found?.email, person.email)
  change.commit()
  await change.done
})
