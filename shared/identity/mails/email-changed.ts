import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { deviceBlock, deviceProperties } from './device.ts'

const EmailChanged = Shape({
  email: Type.String(),
  /** Whether links to identity providers were deleted. */
  is_unlinked: Type.Boolean(),
  ...deviceProperties,
})

/** Notifies the former address of an account of its change. */
export const emailChangedMail = defineMail('email-changed', EmailChanged, {
  en: ({ email, is_unlinked, ...device }, site) => ({
    subject: `Your e-mail address at ${site.name} was changed`,
    blocks: [
      `You sign in to your account at ${site.name} with ${email} from now on, and mails go there. All other sessions ` +
        `were closed${is_unlinked ? ', and the sign-ins by other services were removed' : ''}.`,
      deviceBlock('en', site, device),
      'If that was not you, write to us immediately. You can no longer sign in with this address.',
    ],
  }),
  de: ({ email, is_unlinked, ...device }, site) => ({
    subject: `Ihre E-Mail-Adresse bei ${site.name} wurde geändert`,
    blocks: [
      `In Ihrem Konto bei ${site.name} melden Sie sich ab jetzt mit ${email} an, und Mails gehen dorthin. Die ` +
        `anderen Sitzungen wurden beendet${is_unlinked ? ' und die Anmeldungen mit anderen Diensten entfernt' : ''}.`,
      deviceBlock('de', site, device),
      'Waren Sie das nicht, schreiben Sie uns sofort: Mit dieser Adresse geht es nicht mehr ins Konto.',
    ],
  }),
})
