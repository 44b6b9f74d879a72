import '#test/support/processes/gateway.ts'
import { recordChange, recordOnPlatform } from '#shared/audit/record-change.ts'
import { verifyEmailMail } from '#shared/identity/mails/verify-email.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import { inPlatform, inStore } from '#shared/platform/db/store-scope.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { rotateSecret } from '#shared/webhooks/rotate-secret.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildAffiliate } from '#test/support/builders/affiliates.ts'
import { buildChange, buildEntries } from '#test/support/builders/audit.ts'
import { connectTill } from '#test/support/builders/remote.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { buildSuperAdminTwoFactor, buildTwoFactor } from '#test/support/builders/two-factor.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { buildWebhook } from '#test/support/builders/webhooks.ts'
import { request } from '#test/support/processes/app.ts'
import { buildProvider } from '#test/support/processes/identity-provider.ts'
import { Visitor } from '#test/support/processes/visitor.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'

/** A store and a super-admin with one encrypted secret of every kind. */
export async function buildSecrets(till: { url: string }, hookUrl: string) {
  const store = await buildStore()
  await buildEntries(store, 2)
  const { code: voucherCode } = await buildVoucher(store)
  await inStore(store.id, async (tx) => recordChange(tx, buildChange({ resourceType: 'orders' })))
  await inPlatform((tx) => recordOnPlatform(tx, buildChange()))
  const people = await buildPeople(store)
  const rotated = await buildRotatedWebhook(store, hookUrl)
  return {
    store,
    ...people,
    voucherCode,
    rotated,
    apiKey: await connectTill(store, till),
    affiliate: await buildAffiliate(store, { payout: { method: 'bank', details: 'DE02 1203 0000' } }),
    passing: await buildPassing(store, people.owner, rotated.webhook),
  }
}

async function buildPeople(store: { id: string }) {
  const [customer, owner, root] = [
    await buildCustomer(store),
    await buildStaff(store, { role: 'owner' }),
    await buildSuperAdmin(),
  ]
  return {
    customer: { ...customer, ...(await buildTwoFactor(store, { type: 'customer', id: customer.id })) },
    owner: { ...owner, ...(await buildTwoFactor(store, { type: 'staff', id: owner.id })) },
    root: { ...root, ...(await buildSuperAdminTwoFactor(root)) },
  }
}

/** A webhook with a rotated secret: for a day messages are signed with both. */
async function buildRotatedWebhook(store: { id: string }, url: string) {
  const { webhook, secret: previous } = await buildWebhook(store, { url })
  const { secret } = await inStore(store.id, (tx) => rotateSecret(tx, webhook.id, { rights: RIGHTS }))
  return { webhook, secret, previous }
}

/** Secrets that expire: a started sign-in, a queued mail, a stored response to an idempotent request. */
async function buildPassing(
  store: { id: string; key: string },
  { token }: { token: string },
  { id }: { id: string },
) {
  await buildProvider(store)
  const visitor = new Visitor()
  const providerUrl = await visitor.begin(store)
  const repeated = () => request(`POST /admin/webhooks/${id}/test`, { token, key: 'once' })
  const { data: answer } = await withWorker(repeated())
  const recipient = { recordId: null, email: 'ada@example.test', language: null }
  await inStore(store.id, (tx) => queueMail(tx, verifyEmailMail, recipient, { token: 'cx_ln_secret' }))
  return { visitor, providerUrl, repeated, answer }
}
