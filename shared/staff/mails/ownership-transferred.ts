import { type Static, Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { formatTime } from '#shared/mail/site.ts'
import { Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'

const OwnershipTransferred = Shape({
  at: Timestamp,
  former_owner: Nullable(Type.String()),
  new_owner: Type.String(),
  super_admin: Nullable(Type.String()),
  /** The identity providers for staff that the transfer deactivated. */
  deactivated_providers: Type.Array(Type.String()),
  /** The pages of mails to staff that the transfer reset. */
  reset_links: Type.Array(Type.String()),
})
type Ended = Pick<Static<typeof OwnershipTransferred>, 'deactivated_providers' | 'reset_links'>

/** Returns the facts about what the transfer ended, with their labels. */
const endedFacts = (
  { deactivated_providers, reset_links }: Ended,
  labels: Record<'providers' | 'links', string>,
) =>
  (
    [
      [labels.providers, deactivated_providers.join(', ')],
      [labels.links, reset_links.join(', ')],
    ] as const
  ).filter(([, names]) => names)

/** Returns the text if the transfer ended anything. */
const ifEnded = ({ deactivated_providers, reset_links }: Ended, text: string): string[] =>
  deactivated_providers.length + reset_links.length > 0 ? [text] : []

/** Notifies the former and the new owner of a store. A transfer that neither expects could be a takeover. */
export const ownershipTransferredMail = defineMail('ownership-transferred', OwnershipTransferred, {
  en: ({ at, former_owner, new_owner, super_admin, ...ended }, site) => ({
    subject: `${site.name} has a new owner`,
    blocks: [
      super_admin
        ? `Someone who runs the service made another member of the staff the owner of ${site.name}.`
        : `The owner of ${site.name} made another member of the staff the owner.`,
      {
        facts: [
          ['New owner', new_owner],
          ...(former_owner ? ([['Former owner, now an administrator', former_owner]] as const) : []),
          ...(super_admin ? ([['Changed by', super_admin]] as const) : []),
          ['When', formatTime(site, at)],
          ...endedFacts(ended, {
            providers: 'Identity providers for staff, now inactive',
            links: 'Links in mails to staff, now the default',
          }),
        ],
      },
      ...ifEnded(
        ended,
        'Whoever controls a provider or a link can sign in as any member of the staff, and the former owner may ' +
          'still control it. Activate or set it again only if the new owner controls it.',
      ),
      'Links that were mailed to the staff before, to accept an invitation, to choose a password or to confirm a new ' +
        'address, no longer work. Ask invited members to request a new password on the sign-in page.',
      'If you did not expect that, write to the operator of the service immediately. The audit log of the store ' +
        'shows the change.',
    ],
  }),
  de: ({ at, former_owner, new_owner, super_admin, ...ended }, site) => ({
    subject: `${site.name} gehört jetzt jemand anderem`,
    blocks: [
      super_admin
        ? `Jemand vom Betreiber des Dienstes hat ${site.name} einem anderen Mitglied des Teams übertragen.`
        : `${site.name} wurde einem anderen Mitglied des Teams übertragen.`,
      {
        facts: [
          ['Gehört jetzt', new_owner],
          ...(former_owner ? ([['Gehörte bisher, jetzt Administration', former_owner]] as const) : []),
          ...(super_admin ? ([['Geändert durch', super_admin]] as const) : []),
          ['Wann', formatTime(site, at)],
          ...endedFacts(ended, {
            providers: 'Anmeldedienste für das Team, jetzt inaktiv',
            links: 'Links in E-Mails an das Team, jetzt wieder die Vorgabe',
          }),
        ],
      },
      ...ifEnded(
        ended,
        'Wer den Shop bisher besaß, konnte sich damit als jedes Mitglied des Teams anmelden. Aktivieren und setzen ' +
          'Sie nur, was Sie selbst kontrollieren.',
      ),
      'Links aus früheren E-Mails an das Team (Einladungen, neue Passwörter, neue Adressen) gelten nicht mehr. ' +
        'Bitten Sie Eingeladene, auf der Anmeldeseite ein neues Passwort anzufordern.',
      'Haben Sie das nicht erwartet, schreiben Sie sofort dem Betreiber des Dienstes. Das Prüfprotokoll des Shops ' +
        'zeigt die Änderung.',
    ],
  }),
})
