import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { deviceBlock, deviceProperties } from './device.ts'

const EmailChangeAsked = Shape({ email: Type.String(), ...deviceProperties })

/** Notifies the current address of a requested change, while it can still be stopped. */
export const emailChangeAskedMail = defineMail('email-change-asked', EmailChangeAsked, {
  en: ({ email, ...device }, site) => ({
    subject: `Another e-mail address was asked for at ${site.name}`,
    blocks: [
      `Someone, probably you, asked to change the e-mail address of your account at ${site.name} to ${email}. A link ` +
        'was sent there; until it is used, nothing changes.',
      deviceBlock('en', site, device),
      'If that was not you, somebody knows your password. Change it immediately: this cancels the link and closes ' +
        'all other sessions.',
    ],
  }),
  de: ({ email, ...device }, site) => ({
    subject: `Neue E-Mail-Adresse bei ${site.name} angefordert`,
    blocks: [
      `Jemand, vermutlich Sie selbst, möchte die E-Mail-Adresse Ihres Kontos bei ${site.name} in ${email} ändern. ` +
        'Dorthin ging ein Link; bis er genutzt wird, ändert sich nichts.',
      deviceBlock('de', site, device),
      'Waren Sie das nicht, ändern Sie sofort Ihr Passwort, denn es wurde eingegeben: Das macht den Link ungültig ' +
        'und beendet alle anderen Sitzungen.',
    ],
  }),
})
