import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { NamedIntegration, remainingIntegrations } from './remaining-integrations.ts'

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

/**
 * Notifies the owner and the actor of the integrations of a member who was removed, deactivated or demoted: they keep
 * working.
 */
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
      ...remainingIntegrations.en(data, site),
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
      ...remainingIntegrations.de(data, site),
      'Sehen Sie alles in der Verwaltung des Shops durch und löschen Sie, was nicht Ihres ist. In den Listen steht ' +
        `dort als „created_by“ ${data.member_id}, oder jemand anderes, wenn diese Person an einem Anmeldedienst nur ` +
        'mitgewirkt hat. Ersetzen Sie bei allem anderen die Geheimnisse: Diese Person kennt sie vielleicht.',
      'Was diese Person sonst geändert hat, zeigt das Prüfprotokoll des Shops.',
    ],
  }),
})
