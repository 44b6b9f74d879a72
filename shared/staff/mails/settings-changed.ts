import { type Static, Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatTime, type Site } from '#shared/mail/site.ts'
import { Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'

const SettingsChanged = Shape({
  at: Timestamp,
  /**
   * The address of who made the change, created the API token that made it, or claimed the domain that was verified.
   * Null if nobody of the staff claimed it, or if the member is gone.
   */
  changed_by: Nullable(Type.String()),
  caller: Type.Enum(['staff', 'api_token', 'super_admin', 'verification']),
  /**
   * The changed settings: `email`, `links` with a page, or `domain` with the address of the default pages. A page
   * without a URL is the default one.
   */
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
 * Notifies a store's owner that mails lead to other pages or another domain, or that replies go to another address. It
 * is mailed to an owner who made the change too, because a thief of a session could have made it.
 */
export const settingsChangedMail = defineMail('settings-changed', SettingsChanged, {
  en: (data, site) => ({
    subject: `Pages and addresses in the mails of ${site.name} were changed`,
    blocks: [
      {
        staff: `${data.changed_by} changed settings of ${site.name}.`,
        api_token: `An API token of ${data.changed_by} changed settings of ${site.name}.`,
        super_admin: `Someone who runs the service, ${data.changed_by}, changed settings of ${site.name}.`,
        verification: data.changed_by
          ? `A domain of ${site.name}, added by ${data.changed_by}, was verified.`
          : `A domain of ${site.name} was verified.`,
      }[data.caller],
      changesBlock(EN, data, site),
      'Links in mails carry tokens to these pages: a token sets a password, confirms an address or opens a guest’s ' +
        'order. The default pages of customers are at the address in “domain”. Replies to mails, and new questions, ' +
        'go to the address in “email”.',
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
        verification: data.changed_by
          ? `Eine Domain von ${site.name}, hinzugefügt von ${data.changed_by}, wurde bestätigt.`
          : `Eine Domain von ${site.name} wurde bestätigt.`,
      }[data.caller],
      changesBlock(DE, data, site),
      'Links in E-Mails bringen Tokens auf diese Seiten: Ein Token setzt ein Passwort, bestätigt eine Adresse oder ' +
        'öffnet die Bestellung eines Gasts. Die Seiten der Vorgabe für Kunden liegen unter der Adresse in „domain“. ' +
        'Antworten auf E-Mails und neue Fragen gehen an die Adresse in „email“.',
      'Tokens, die eine Seite schon bekommen hat, gelten weiter: die aus Einladungen sieben Tage, die zu ' +
        'Bestellungen von Gästen unbegrenzt.',
      'Haben Sie das nicht erwartet, machen Sie es sofort rückgängig. Geschah es in Ihrem Namen, ändern Sie zuerst ' +
        'Ihr Passwort. Das Prüfprotokoll des Shops zeigt, was sonst geändert wurde.',
    ],
  }),
})
