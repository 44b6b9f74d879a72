import { type Static, Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
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

const IntegrationsRemain = Shape({
  change: Type.Enum(['removed', 'left', 'deactivated', 'demoted']),
  /** The member's address and id. */
  member: Type.String(),
  member_id: Type.String(),
  /** The address of who changed the member. */
  changed_by: Type.String(),
  integrations: Type.Array(NamedIntegration),
  /** How many the mail does not name. */
  more: Type.Integer(),
})

interface Words {
  kinds: Record<NamedIntegration['kind'], string>
  created: string
  inactive: string
}

export const EN: Words = {
  kinds: {
    webhook: 'Webhook',
    identity_provider: 'Identity provider',
    publishable_key: 'Publishable key',
    domain: 'Domain',
    external_catalog: 'External catalog',
  },
  created: 'created',
  inactive: 'inactive until someone activates it',
}
export const DE: Words = {
  kinds: {
    webhook: 'Webhook',
    identity_provider: 'Anmeldedienst',
    publishable_key: 'Öffentlicher Schlüssel',
    domain: 'Domain',
    external_catalog: 'Externer Katalog',
  },
  created: 'angelegt am',
  inactive: 'inaktiv, bis es jemand aktiviert',
}

/** Returns the integrations as facts, each with the address of the member who set it up if the mail is about many. */
export const integrationsBlock = (
  { kinds, created, inactive }: Words,
  integrations: (NamedIntegration & { member?: string })[],
  site: Site,
): Block => ({
  facts: integrations.map(({ kind, name, is_active, created_at, member }) => [
    kinds[kind],
    [
      name,
      `${created} ${formatDate(site, created_at)}`,
      ...(member ? [member] : []),
      ...(is_active ? [] : [inactive]),
    ].join(', '),
  ]),
})

/** Notifies the owner, and who removed a member of the staff, of what the member created that works on. */
export const integrationsRemainMail = defineMail('integrations-remain', IntegrationsRemain, {
  en: (data, site) => ({
    subject: `What ${data.member} set up at ${site.name} still works`,
    blocks: [
      {
        removed: `${data.changed_by} removed ${data.member} from the staff of ${site.name}.`,
        left: `${data.member} left the staff of ${site.name}.`,
        deactivated: `${data.changed_by} switched off the account of ${data.member} at ${site.name}.`,
        demoted: `${data.changed_by} gave ${data.member} a role at ${site.name} that may not set these up.`,
      }[data.change],
      'Sessions and API tokens have lost this access. The following stays, because the store may depend on it, and ' +
        'works unless it is inactive. A webhook sends data of the store to the host that it names.',
      integrationsBlock(EN, data.integrations, site),
      ...(data.more ? [`And ${data.more} more.`] : []),
      'Look at each of them in the administration of the store, and delete what is not yours. In its lists, ' +
        `“created_by” is ${data.member_id}, or another person if this one only contributed to an identity provider. ` +
        'Replace the secrets of what you keep: this person may know them.',
      'The audit log of the store shows what else this person changed.',
    ],
  }),
  de: (data, site) => ({
    subject: `Was ${data.member} bei ${site.name} eingerichtet hat, läuft weiter`,
    blocks: [
      {
        removed: `${data.changed_by} hat ${data.member} aus dem Team von ${site.name} entfernt.`,
        left: `${data.member} hat das Team von ${site.name} verlassen.`,
        deactivated: `${data.changed_by} hat das Konto von ${data.member} bei ${site.name} ausgeschaltet.`,
        demoted: `${data.changed_by} hat ${data.member} bei ${site.name} eine Rolle ohne Recht dazu gegeben.`,
      }[data.change],
      'Sitzungen und API-Tokens haben diesen Zugriff nicht mehr. Folgendes bleibt, weil der Shop es brauchen kann, ' +
        'und läuft weiter, wenn es nicht inaktiv ist. Ein Webhook sendet Daten des Shops an den genannten Host.',
      integrationsBlock(DE, data.integrations, site),
      ...(data.more ? [`Und ${data.more} weitere.`] : []),
      'Sehen Sie alles in der Verwaltung des Shops durch und löschen Sie, was nicht Ihres ist. In den Listen steht ' +
        `dort als „created_by“ ${data.member_id}, oder jemand anderes, wenn diese Person an einem Anmeldedienst nur ` +
        'mitgewirkt hat. Ersetzen Sie bei allem anderen die Geheimnisse: Diese Person kennt sie vielleicht.',
      'Was diese Person sonst geändert hat, zeigt das Prüfprotokoll des Shops.',
    ],
  }),
})
