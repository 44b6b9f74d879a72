import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { nextNumber } from '#test/support/builders/store.ts'
import { buildProvider } from '#test/support/processes/identity-provider.ts'

/** Links an identity of a provider to a customer. */
export async function linkProvider(
  store: { id: string },
  customerId: string,
  subject: string,
): Promise<void> {
  await buildProvider(store as never, { code: `p${nextNumber()}` })
  await inStore(store.id, async (tx) => {
    const { id: provider_id } = await tx.knex('identity_providers').first('id')
    const account = { account_type: 'customer', account_id: customerId }
    const row = { store_id: store.id, id: newId(), provider_id, subject, ...account, created_at: now() }
    await tx.knex('identity_links').insert(row)
  })
}
