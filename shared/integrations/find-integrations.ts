import { IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { RemoteConnection } from '#shared/remote-catalog/connection.ts'
import type { Integration } from '#shared/staff/integration.ts'
import { OPENS_CUSTOMER_ACCOUNTS, RIGHTS } from '#shared/staff/rights.ts'
import { StoreDomain } from '#shared/stores/domains/store-domain.ts'
import { type PublishableKey, usableKeys } from '#shared/stores/publishable-keys/publishable-key.ts'
import { rightsToReceive } from '#shared/webhooks/readable-events.ts'
import { existingWebhooks, type Webhook } from '#shared/webhooks/webhook.ts'

/**
 * Finds the integrations that staff members created, and the identity providers that they contributed to: the active
 * ones, then the inactive ones, each oldest first. An integration of several of the members is found once for each.
 */
export async function findIntegrations(tx: StoreTx, memberIds: readonly string[]): Promise<Integration[]> {
  const webhooks = await existingWebhooks(tx).whereIn('created_by', memberIds)
  const providers = await IdentityProvider.in(tx).where((query) =>
    query.whereIn('created_by', memberIds).orWhereRaw('contributor_ids && ?::uuid[]', [memberIds]),
  )
  const keys = await usableKeys(tx).whereIn('created_by', memberIds)
  const domains = await StoreDomain.in(tx).whereIn('created_by', memberIds).whereNotNull('verified_at')
  const connections = await RemoteConnection.in(tx).whereIn('created_by', memberIds)
  const found = [
    ...describeAll(webhooks, describeWebhook),
    ...describeAll(providers, describeProvider, membersOfProvider),
    ...describeAll(keys, describeKey),
    ...describeAll(domains, describeDomain),
    ...describeAll(connections, describeConnection),
  ].filter(({ memberId }) => memberIds.includes(memberId))
  // Active ones first: the mail lists a limited number, and many inactive ones could fill it.
  return found.sort(
    (one, other) =>
      Number(other.isActive) - Number(one.isActive) || one.createdAt.getTime() - other.createdAt.getTime(),
  )
}

type Description = Omit<Integration, 'memberId' | 'createdAt'>

interface Created {
  createdBy: string | null
  createdAt: Date
}

const creatorOf = ({ createdBy }: Created): string[] => (createdBy ? [createdBy] : [])

const membersOfProvider = (provider: IdentityProvider): string[] => [
  ...new Set([...creatorOf(provider), ...provider.contributorIds]),
]

const describeAll = <Row extends Created>(
  rows: Row[],
  describe: (row: Row) => Description,
  membersOf: (row: Row) => string[] = creatorOf,
): Integration[] =>
  rows.flatMap((row) =>
    membersOf(row).map((memberId) => ({ ...describe(row), memberId, createdAt: row.createdAt })),
  )

const describeWebhook = ({ url, events, isActive }: Webhook): Description => ({
  kind: 'webhook',
  name: new URL(url).host,
  isActive,
  needs: ['system:write', ...rightsToReceive(events)],
})

const describeProvider = ({ name, issuer, audience, isActive }: IdentityProvider): Description => ({
  kind: 'identity_provider',
  name: `${name} (${new URL(issuer).host})`,
  isActive,
  // Only the owner, who has all rights, creates one for staff.
  needs: audience === 'staff' ? RIGHTS : ['system:write', ...OPENS_CUSTOMER_ACCOUNTS],
})

const describeKey = ({ name, hint }: PublishableKey): Description => ({
  kind: 'publishable_key',
  name: name ? `${name} (${hint})` : hint,
  isActive: true,
  needs: ['system:write'],
})

const describeDomain = ({ domain }: StoreDomain): Description => ({
  kind: 'domain',
  name: domain,
  isActive: true,
  needs: ['system:write', ...OPENS_CUSTOMER_ACCOUNTS],
})

const describeConnection = ({ baseUrl }: RemoteConnection): Description => ({
  kind: 'external_catalog',
  name: new URL(baseUrl).host,
  isActive: true,
  needs: ['system:write'],
})
