import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { formatTime } from '#shared/mail/site.ts'
import { Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'

const OwnershipTransferred = Shape({
  at: Timestamp,
  former_owner: Nullable(Type.String()),
  new_owner: Type.String(),
  super_admin: Nullable(Type.String()),
})

/** Notifies the former and the new owner of a store. A transfer that neither expects could be a takeover. */
export const ownershipTransferredMail = defineMail('ownership-transferred', OwnershipTransferred, {
  en: ({ at, former_owner, new_owner, super_admin }, site) => ({
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
        ],
      },
      'If you did not expect that, write to the operator of the service immediately. The audit log of the store ' +
        'shows the change.',
    ],
  }),
  de: ({ at, former_owner, new_owner, super_admin }, site) => ({
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
        ],
      },
      'Haben Sie das nicht erwartet, schreiben Sie sofort dem Betreiber des Dienstes. Das Prüfprotokoll des Shops ' +
        'zeigt die Änderung.',
    ],
  }),
})
