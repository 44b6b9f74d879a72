import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { DE, EN, integrationsBlock, NamedIntegration } from './integrations-remain.ts'

const RoleNarrowed = Shape({
  role: Type.String(),
  /** The address of who changed the role. */
  changed_by: Type.String(),
  /** What its members created, each with the member's address. */
  integrations: Type.Array(Shape({ ...NamedIntegration.properties, member: Type.String() })),
  /** How many the mail does not name. */
  more: Type.Integer(),
})

/** Notifies the owner, and who took rights from a role, of what its members created that they may not create now. */
export const roleNarrowedMail = defineMail('role-narrowed', RoleNarrowed, {
  en: ({ role, changed_by, integrations, more }, site) => ({
    subject: `What members with the role ${role} set up at ${site.name} still works`,
    blocks: [
      `${changed_by} took rights from the role ${role} at ${site.name}. Its members may not set these up any more.`,
      'Sessions and API tokens have lost this access. The following stays, because the store may depend on it, and ' +
        'works unless it is inactive. A webhook sends data of the store to the host that it names.',
      integrationsBlock(EN, integrations, site),
      ...(more ? [`And ${more} more.`] : []),
      'Look at each of them in the administration of the store, and delete what is not yours. Replace the secrets of ' +
        'what you keep: these members may know them.',
    ],
  }),
  de: ({ role, changed_by, integrations, more }, site) => ({
    subject: `Was Mitglieder mit der Rolle ${role} bei ${site.name} eingerichtet haben, läuft weiter`,
    blocks: [
      `${changed_by} hat der Rolle ${role} bei ${site.name} Rechte genommen. Ihre Mitglieder dürfen Folgendes nicht ` +
        'mehr einrichten.',
      'Sitzungen und API-Tokens haben diesen Zugriff nicht mehr. Folgendes bleibt, weil der Shop es brauchen kann, ' +
        'und läuft weiter, wenn es nicht inaktiv ist. Ein Webhook sendet Daten des Shops an den genannten Host.',
      integrationsBlock(DE, integrations, site),
      ...(more ? [`Und ${more} weitere.`] : []),
      'Sehen Sie alles in der Verwaltung des Shops durch und löschen Sie, was nicht Ihres ist. Ersetzen Sie bei ' +
        'allem anderen die Geheimnisse: Diese Mitglieder kennen sie vielleicht.',
    ],
  }),
})
