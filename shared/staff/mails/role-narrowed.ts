import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { NamedIntegration, remainingIntegrations } from './remaining-integrations.ts'

const RoleNarrowed = Shape({
  role: Type.String(),
  /** The address of the actor. */
  changed_by: Type.String(),
  /** What its members created, each with the member's address. */
  integrations: Type.Array(Shape({ ...NamedIntegration.properties, member: Type.String() })),
  /** How many the mail does not name. */
  more: Type.Integer(),
})

/**
 * Notifies the owner and the actor, who took rights from a role, of the integrations that its members created and may
 * no longer create.
 */
export const roleNarrowedMail = defineMail('role-narrowed', RoleNarrowed, {
  en: ({ role, changed_by, ...named }, site) => ({
    subject: `What members with the role ${role} set up at ${site.name} still works`,
    blocks: [
      `${changed_by} took rights from the role ${role} at ${site.name}. Its members may not set these up any more.`,
      ...remainingIntegrations.en(named, site),
      'Look at each of them in the administration of the store, and delete what is not yours. Replace the secrets of ' +
        'what you keep: these members may know them.',
    ],
  }),
  de: ({ role, changed_by, ...named }, site) => ({
    subject: `Was Mitglieder mit der Rolle ${role} bei ${site.name} eingerichtet haben, läuft weiter`,
    blocks: [
      `${changed_by} hat der Rolle ${role} bei ${site.name} Rechte genommen. Ihre Mitglieder dürfen Folgendes nicht ` +
        'mehr einrichten.',
      ...remainingIntegrations.de(named, site),
      'Sehen Sie alles in der Verwaltung des Shops durch und löschen Sie, was nicht Ihres ist. Ersetzen Sie bei ' +
        'allem anderen die Geheimnisse: Diese Mitglieder kennen sie vielleicht.',
    ],
  }),
})
