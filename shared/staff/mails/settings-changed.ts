import { type Static, Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatTime, type Site } from '#shared/mail/site.ts'
import { Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'

const SettingsChanged = Shape({
  at: Timestamp,
  /** The address of who made the change, or who created the API token that made it. */
  changed_by: Type.String(),
  caller: Type.Enum(['staff', 'api_token', 'super_admin']),
  /** The changed settings: `email`, or `links` with a page. A page without a URL is the default one. */
  changes: Type.Array(
    Shape({
      setting: Type.String(),
      before: Nullable(Type.String()),
      after: Nullable(Type.String()),
    }),
  ),
})
type Data = Static<typeof SettingsChanged>

interface Words {
  before: string
  after: string
  defaultPage: string
  time: string
}

const EN: Words = { before: 'before', after: 'now', defaultPage: 'the default page', time: 'Time' }
const DE: Words = { before: 'bisher', after: 'jetzt', defaultPage: 'die Seite der Vorgabe', time: 'Zeit' }

const changesBlock = (words: Words, { at, changes }: Data, site: Site): Block => ({
  facts: [
    ...changes.flatMap(
      ({ setting, before, after }) =>
        [
          [`${setting}, ${words.before}`, before ?? words.defaultPage],
          [`${setting}, ${words.after}`, after ?? words.defaultPage],
        ] as const,
    ),
    [words.time, formatTime(site, at)],
  ],
})

/**
 * Notifies a store's owner that mails lead to other pages, or that replies go to another address. It is mailed to an
 * owner who made the change too, because a thief of a session could have made it.
 */
export const settingsChangedMail = defineMail('settings-changed', SettingsChanged, {
  en: (data, site) => ({
    subject: `Pages and addresses in the mails of ${site.name} were changed`,
    blocks: [
      {
        staff: `${data.changed_by} changed settings of ${site.name}.`,
        api_token: `An API token of ${data.changed_by} changed settings of ${site.name}.`,
        super_admin: `Someone who runs the service, ${data.changed_by}, changed settings of ${site.name}.`,
      }[data.caller],
      changesBlock(EN, data, site),
      'Links in mails carry tokens to these pages: a token sets a password, confirms an address or opens a guest’s ' +
        'order. Replies to mails, and new questions, go to the address in “email”.',
      'Tokens that a page has already received stay valid: those of invitations for seven days, those of guests’ ' +
        'orders for good.',
      'If you did not expect that, set it back immediately. If it was done in your name, change your password first. ' +
        'The audit log of the store shows what else was changed.',
    ],
  }),
  de: (data, site) => ({
    subject: `Seiten und Adressen in den E-Mails von ${site.name} wurden geändert`,
    blocks: [
      {
        staff: `${data.changed_by} hat Einstellungen von ${site.name} geändert.`,
        api_token: `Ein API-Token von ${data.changed_by} hat Einstellungen von ${site.name} geändert.`,
        super_admin: `Der Betreiber des Dienstes (${data.changed_by}) hat Einstellungen von ${site.name} geändert.`,
      }[data.caller],
      changesBlock(DE, data, site),
      'Links in E-Mails bringen Tokens auf diese Seiten: Ein Token setzt ein Passwort, bestätigt eine Adresse oder ' +
        'öffnet die Bestellung eines Gasts. Antworten auf E-Mails und neue Fragen gehen an die Adresse in „email“.',
      'Tokens, die eine Seite schon bekommen hat, gelten weiter: die aus Einladungen sieben Tage, die zu ' +
        'Bestellungen von Gästen unbegrenzt.',
      'Haben Sie das nicht erwartet, machen Sie es sofort rückgängig. Geschah es in Ihrem Namen, ändern Sie zuerst ' +
        'Ihr Passwort. Das Prüfprotokoll des Shops zeigt, was sonst geändert wurde.',
    ],
  }),
})
