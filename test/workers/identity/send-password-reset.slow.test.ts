import assert from 'node:assert/strict'
import { beforeEach, type TestContext, test } from 'node:test'
import '#test/support/database.ts'
import { sendPasswordReset as job } from '#shared/identity/jobs.ts'
import { requestPasswordReset } from '#shared/identity/passwords/request-password-reset.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { type BuiltAccount, buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { discardJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { runWorker } from '#test/support/processes/worker.ts'
import { until } from '#test/support/races/until.ts'
import { jobsRunning } from '#workers/platform/metrics.ts'

const FLOOD = 20

beforeEach(discardJobs)

/** Locks an account, so that the jobs of its resets run until the release. */
async function holdAccount(t: TestContext, store: BuiltStore, table: string, { id }: BuiltAccount) {
  const released = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = inStore(store.id, async ({ knex }) => {
    await knex(table).where({ id }).forUpdate()
    locked.resolve()
    await released.promise
  })
  t.after(() => released.resolve())
  await locked.promise
  return async () => {
    released.resolve()
    await holding
  }
}

const running = async () =>
  (await jobsRunning.get()).values.find(({ labels }) => labels.queue === job.queue)?.value

const hasMail = ({ email }: BuiltAccount) => mailbox.mails(email).length > 0

test("many password resets of a store delay neither another store's nor those of staff", async (t) => {
  const [busy, other] = [await buildStore(), await buildStore()]
  const [victim, customer] = [await buildCustomer(busy), await buildCustomer(other)]
  const member = await buildStaff(other, { role: 'support' })
  const release = await holdAccount(t, busy, 'customers', victim)
  for (let n = 0; n < FLOOD; n++) await requestPasswordReset('customer', busy.id, victim.email)
  await runWorker(t)
  await until('the store has its share', async () => (await running()) === job.rules.perStore)

  await requestPasswordReset('customer', other.id, customer.email)
  await requestPasswordReset('staff', null, member.email)
  await until('both have mails', async () => hasMail(customer) && hasMail(member))

  assert.equal(mailbox.mails(victim.email).length, 0)
  await release()
  await until('the store has its mail', async () => hasMail(victim))
})

test('many password resets of the staff of a store delay neither the staff nor a customer of another', async (t) => {
  const [busy, other] = [await buildStore(), await buildStore()]
  const victim = await buildStaff(busy, { role: 'support' })
  const [customer, member] = [await buildCustomer(other), await buildStaff(other, { role: 'support' })]
  const release = await holdAccount(t, busy, 'staff_members', victim)
  for (let n = 0; n < FLOOD; n++) await requestPasswordReset('staff', null, victim.email)
  await runWorker(t)
  await until('the store has its share', async () => (await running()) === job.rules.perStore)

  await requestPasswordReset('customer', other.id, customer.email)
  await requestPasswordReset('staff', null, member.email)
  await until('both have mails', async () => hasMail(customer) && hasMail(member))

  assert.equal(mailbox.mails(victim.email).length, 0)
  await release()
  await until('the store has its mail', async () => hasMail(victim))
})
