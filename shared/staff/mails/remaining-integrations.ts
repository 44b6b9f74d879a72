import { type Static, Type } from 'typebox'
import type { Block } from '#shared/mail/letter.ts'
import { formatDate, type Site } from '#shared/mail/site.ts'
import { Shape, Timestamp } from '#shared/platform/http/schema.ts'
import { INTEGRATION_KINDS } from '#shared/staff/integration.ts'

export const NamedIntegration = Shape({
  kind: Type.Enum([...INTEGRATION_KINDS]),
  name: Type.String(),
  is_active: Type.Boolean(),
  created_at: Timestamp,
})
type NamedIntegration = Static<typeof NamedIntegration>

interface Words {
  stays: string
  kinds: Record<NamedIntegration['kind'], string>
  created: string
  inactive: string
  more: (count: number) => string
}

const EN: Words = {
  stays:
    'Sessions and API tokens have lost this access. The following stays, because the store may depend on it, and ' +
    'works unless it is inactive. A webhook sends data of the store to the host that it names.',
  kinds: {
    webhook: 'Webhook',
    identity_provider: 'Identity provider',
    publishable_key: 'Publishable key',
    domain: 'Domain',
    external_catalog: 'External catalog',
  },
  created: 'created',
  inactive: 'inactive until someone activates it',
  more: (count) => `And ${count} more.`,
}

const DE: Words = {
  stays:
    'Sitzungen und API-Tokens haben diesen Zugriff nicht mehr. Folgendes bleibt, weil der Shop es brauchen kann, und ' +
    'läuft weiter, wenn es nicht inaktiv ist. Ein Webhook sendet Daten des Shops an den genannten Host.',
  kinds: {
    webhook: 'Webhook',
    identity_provider: 'Anmeldedienst',
    publishable_key: 'Öffentlicher Schlüssel',
    domain: 'Domain',
    external_catalog: 'Externer Katalog',
  },
  created: 'angelegt am',
  inactive: 'inaktiv, bis es jemand aktiviert',
  more: (count) => `Und ${count} weitere.`,
}

interface Named {
  integrations: (NamedIntegration & { member?: string })[]
  /** How many are not named. */
  more: number
}

const blocksIn =
  (words: Words) =>
  ({ integrations, more }: Named, site: Site): Block[] => [
    words.stays,
    { facts: integrations.map((integration) => factOf(words, integration, site)) },
    ...(more ? [words.more(more)] : []),
  ]

const factOf = (
  { kinds, created, inactive }: Words,
  { kind, name, is_active, created_at, member }: Named['integrations'][number],
  site: Site,
): [string, string] => [
  kinds[kind],
  [
    name,
    `${created} ${formatDate(site, created_at)}`,
    ...(member ? [member] : []),
    ...(is_active ? [] : [inactive]),
  ].join(', '),
]

/**
 * The blocks of a mail, by language, that list the integrations which remain after their creator lost rights, each with
 * the address of the member who set it up if the mail is about several.
 */
export const remainingIntegrations = { en: blocksIn(EN), de: blocksIn(DE) }
