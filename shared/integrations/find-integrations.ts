import { IdentityProvider } from '#shared/identity-providers/identity-provider.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { RemoteConnection } from '#shared/remote-catalog/connection.ts'
import type { Integration } from '#shared/staff/integration.ts'
import { OPENS_CUSTOMER_ACCOUNTS, RIGHTS } from '#shared/staff/rights.ts'
import { StoreDomain } from '#shared/stores/domains/store-domain.ts'
import { type PublishableKey, usableKeys } from '#shared/stores/publishable-keys/publishable-key.ts'
import { rightsToReceive } from '#shared/webhooks/readable-events.ts'
import { existingWebhooks, type Webhook } from '#shared/webhooks/webhook.ts'

/** Finds the integrations that a staff member created: the active ones, then the inactive ones, each oldest first. */
export async function findIntegrations(tx: StoreTx, memberId: string): Promise<Integration[]> {
  const byMember = { created_by: memberId }
  const webhooks = await existingWebhooks(tx).where(byMember)
  const providers = await IdentityProvider.in(tx).where(byMember)
  const keys = await usableKeys(tx).where(byMember)
  const domains = await StoreDomain.in(tx).where(byMember).whereNotNull('verified_at')
  const connections = await RemoteConnection.in(tx).where(byMember)
  const found = [
    ...webhooks.map(describeWebhook),
    ...providers.map(describeProvider),
    ...keys.map(describeKey),
    ...domains.map(describeDomain),
    ...connections.map(describeConnection),
  ]
  // Otherwise many inactive ones could use up the places in the mail.
  return found.sort(
    (one, other) =>
      Number(other.isActive) - Number(one.isActive) || one.createdAt.getTime() - other.createdAt.getTime(),
  )
}

const describeWebhook = ({ url, events, isActive, createdAt }: Webhook): Integration => ({
  kind: 'webhook',
  name: new URL(url).host,
  isActive,
  createdAt,
  needs: ['system:write', ...rightsToReceive(events)],
})

const describeProvider = ({
  name,
  issuer,
  audience,
  isActive,
  createdAt,
}: IdentityProvider): Integration => ({
  kind: 'identity_provider',
  name: `${name} (${new URL(issuer).host})`,
  isActive,
  createdAt,
  // Only the owner, who has all rights, creates one for staff.
  needs: audience === 'staff' ? RIGHTS : ['system:write', ...OPENS_CUSTOMER_ACCOUNTS],
})

const describeKey = ({ name, hint, createdAt }: PublishableKey): Integration => ({
  kind: 'publishable_key',
  name: name ? `${name} (${hint})` : hint,
  isActive: true,
  createdAt,
  needs: ['system:write'],
})

const describeDomain = ({ domain, createdAt }: StoreDomain): Integration => ({
  kind: 'domain',
  name: domain,
  isActive: true,
  createdAt,
  needs: ['system:write', ...OPENS_CUSTOMER_ACCOUNTS],
})

const describeConnection = ({ baseUrl, createdAt }: RemoteConnection): Integration => ({
  kind: 'external_catalog',
  name: new URL(baseUrl).host,
  isActive: true,
  createdAt,
  needs: ['system:write'],
})
