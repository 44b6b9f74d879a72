import { type Static, Type } from 'typebox'
import { deviceBlock, deviceProperties, timeBlock } from '#shared/identity/mails/device.ts'
import { defineMail, type MailLanguage } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatTime, type Site } from '#shared/mail/site.ts'
import { Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'

const ApiTokenGranted = Shape({
  /** The token is new. Otherwise it has more rights or works longer. */
  is_new: Type.Boolean(),
  /** The recipient did it. Otherwise the device is null. */
  is_own: Type.Boolean(),
  /** The address of who did it. */
  granted_by: Type.String(),
  name: Type.String(),
  rights: Type.Array(Type.String()),
  expires_at: Nullable(Timestamp),
  ...deviceProperties,
})
type Data = Static<typeof ApiTokenGranted>

const WORDS = {
  en: { name: 'Name', rights: 'Rights', expires: 'Expires', never: 'never', none: 'none' },
  de: { name: 'Name', rights: 'Rechte', expires: 'Läuft ab', never: 'nie', none: 'keine' },
}

const tokenBlock = (language: MailLanguage, site: Site, { name, rights, expires_at }: Data): Block => {
  const words = WORDS[language]
  return {
    facts: [
      [words.name, name],
      [words.rights, rights.join(', ') || words.none],
      [words.expires, expires_at ? formatTime(site, expires_at) : words.never],
    ],
  }
}

/** Returns the time, and the device if it is the recipient's. */
const originBlock = (language: MailLanguage, site: Site, data: Data): Block =>
  data.is_own ? deviceBlock(language, site, data) : timeBlock(language, site, data)

/** Notifies of a new API token, or of more rights or time for one. The token is not in the mail. */
export const apiTokenGrantedMail = defineMail('api-token-granted', ApiTokenGranted, {
  en: (data, site) => ({
    subject: data.is_new ? `New API token at ${site.name}` : `An API token at ${site.name} may do more`,
    blocks: [
      data.is_own
        ? `An API token was ${data.is_new ? 'created' : 'extended'} with your account at ${site.name}.`
        : `${data.granted_by} ${data.is_new ? 'created' : 'extended'} an API token at ${site.name}.`,
      'It works until it expires or is revoked.',
      tokenBlock('en', site, data),
      originBlock('en', site, data),
      data.is_own
        ? 'If that was not you, change your password immediately and revoke the token: another password does not end ' +
          'it.'
        : 'If you did not expect that, revoke the token in the administration of the store.',
    ],
  }),
  de: (data, site) => ({
    subject: data.is_new ? `Neues API-Token bei ${site.name}` : `Ein API-Token bei ${site.name} darf mehr`,
    blocks: [
      data.is_own
        ? `Mit Ihrem Konto bei ${site.name} wurde ein API-Token ${data.is_new ? 'angelegt' : 'erweitert'}.`
        : `${data.granted_by} hat bei ${site.name} ein API-Token ${data.is_new ? 'angelegt' : 'erweitert'}.`,
      'Es gilt bis zum Ablauf oder Widerruf.',
      tokenBlock('de', site, data),
      originBlock('de', site, data),
      data.is_own
        ? 'Waren Sie das nicht, ändern Sie sofort Ihr Passwort und widerrufen Sie das Token: Ein anderes Passwort ' +
          'beendet es nicht.'
        : 'Haben Sie das nicht erwartet, widerrufen Sie das Token in der Verwaltung des Shops.',
    ],
  }),
})
