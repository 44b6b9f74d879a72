import type { Integration } from './integration.ts'

const MAX_NAMED = 100

/** Returns integrations as mails name them, at most 100, and the number of the others. */
export const nameIntegrations = (integrations: readonly Integration[]) => nameSome(integrations, describe)

/** Returns integrations as `nameIntegrations` does, each with the e-mail address of the member who set it up. */
export const nameIntegrationsOf = (
  integrations: readonly Integration[],
  emails: ReadonlyMap<string, string>,
) =>
  nameSome(integrations, (integration) => ({
    ...describe(integration),
    member: emails.get(integration.memberId) ?? integration.memberId,
  }))

const nameSome = <Named>(integrations: readonly Integration[], name: (one: Integration) => Named) => ({
  integrations: integrations.slice(0, MAX_NAMED).map(name),
  more: Math.max(0, integrations.length - MAX_NAMED),
})

const describe = ({ kind, name, isActive, createdAt }: Integration) => ({
  kind,
  name,
  is_active: isActive,
  created_at: createdAt.toISOString(),
})
