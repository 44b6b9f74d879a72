import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'

const CodeChanged = Shape({ firstname: Type.String(), formerCode: Type.String(), code: Type.String() })

/** Notifies an affiliate that staff have changed the code of the links. */
export const affiliateCodeChangedMail = defineMail('affiliate-code-changed', CodeChanged, {
  en: ({ firstname, formerCode, code }, site) => ({
    subject: `${site.name}: the code of your links has changed`,
    blocks: [
      `Hello ${firstname},`,
      'We have changed the code of your links. Links with the former code earn nothing from now on: replace them.',
      {
        facts: [
          ['The former code', formerCode],
          ['The code of your links', code],
        ],
      },
    ],
  }),
  de: ({ firstname, formerCode, code }, site) => ({
    subject: `${site.name}: Der Code Ihrer Links hat sich geändert`,
    blocks: [
      `Guten Tag ${firstname},`,
      'Wir haben den Code Ihrer Links geändert. Links mit dem bisherigen Code bringen ab jetzt keine Provision: ' +
        'Ersetzen Sie sie.',
      {
        facts: [
          ['Der bisherige Code', formerCode],
          ['Der Code Ihrer Links', code],
        ],
      },
    ],
  }),
})
