import { writeDocument } from './document.ts'
import { COMMON, type Language, type PageName, TEXTS } from './texts.ts'

export interface FormPage {
  name: PageName
  /** The kind of account of the link. */
  account: 'customer' | 'staff'
  language: Language
}

const OPERATIONS: Record<PageName, string> = {
  verify_email: '/auth/email/verify',
  reset_password: '/auth/password/reset',
  change_email: '/auth/email/confirm',
}

/**
 * Returns the page of a mailed link. `scripts/page.js` sends its form with the link's token to the page's operation.
 * The form has the method post, because without the script the browser would put the new password into the URL.
 */
export function writeFormPage({ name, account, language }: FormPage): string {
  const { title, lead, button, done } = TEXTS[name][language]
  const { incomplete, unreachable, noScript } = COMMON[language]
  return writeDocument({
    language,
    title,
    script: 'page.js',
    main: `<h1>${title}</h1>
<form method="post" data-operation="${OPERATIONS[name]}" data-account="${account}" data-done="${done}"
  data-incomplete="${incomplete}" data-unreachable="${unreachable}">
<p>${lead}</p>
${fieldsOf(name, language)}
<button>${button}</button>
</form>
<p role="status"></p>
<noscript>${noScript}</noscript>`,
  })
}

function fieldsOf(name: PageName, language: Language): string {
  const { email, formerEmail, password, newPassword, code } = COMMON[language]
  const field = (label: string, attributes: string) => `<label>${label}<input ${attributes}></label>`
  const signInFields = (emailLabel: string) => [
    field(emailLabel, 'name="email" type="email" autocomplete="username" required'),
    field(password, 'name="current" type="password" autocomplete="current-password" required'),
    field(code, 'name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}"'),
  ]
  const fields: Record<PageName, string[]> = {
    verify_email: signInFields(email),
    reset_password: [
      field(
        newPassword,
        'name="password" type="password" autocomplete="new-password" minlength="8" required',
      ),
    ],
    change_email: signInFields(formerEmail),
  }
  return fields[name].join('\n')
}
