import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { formatTime } from '#shared/mail/site.ts'
import { Shape, Timestamp } from '#shared/platform/http/schema.ts'

const SupportSignIn = Shape({
  super_admin: Type.String(),
  reason: Type.String(),
  expires_at: Timestamp,
  may_write: Type.Boolean(),
})

/** Notifies the owner of a store of a support session. */
export const supportSignedInMail = defineMail('support-signed-in', SupportSignIn, {
  en: ({ super_admin, reason, expires_at, may_write }, site) => ({
    subject: `Support signed in to ${site.name}`,
    blocks: [
      `Someone who runs the service signed in to ${site.name} to help.`,
      {
        facts: [
          ['Who', super_admin],
          ['Reason', reason],
          ['Until', formatTime(site, expires_at)],
          ['May', may_write ? 'read, and change the store as long as you allow it' : 'read only'],
        ],
      },
      'Only you can allow support to make changes: under support access, for a time that you set. You can end it ' +
        'there at any time.',
      'The audit log of your store shows what support changes, and which personal data it reads.',
    ],
  }),
  de: ({ super_admin, reason, expires_at, may_write }, site) => ({
    subject: `Der Support hat sich bei ${site.name} angemeldet`,
    blocks: [
      `Jemand vom Betreiber des Dienstes hat sich bei ${site.name} angemeldet, um zu helfen.`,
      {
        facts: [
          ['Wer', super_admin],
          ['Grund', reason],
          ['Bis', formatTime(site, expires_at)],
          ['Darf', may_write ? 'lesen, und ändern, solange Sie es erlauben' : 'nur lesen'],
        ],
      },
      'Nur Sie können dem Support Änderungen erlauben: beim Support-Zugang, für eine Zeit, die Sie festlegen. Dort ' +
        'können Sie es jederzeit beenden.',
      'Das Prüfprotokoll Ihres Shops zeigt, was der Support ändert und welche personenbezogenen Daten er liest.',
    ],
  }),
})
