import { COMMON, type Language, type PageName, TEXTS } from './texts.ts'

export interface PlainPage {
  name: PageName
  /** Whose link it takes: staff are signed in as such. */
  account: 'customer' | 'staff'
  language: Language
}

const OPERATIONS: Record<PageName, string> = {
  verify_email: '/auth/email/verify',
  reset_password: '/auth/password/reset',
  change_email: '/auth/email/confirm',
}

/** The page that takes a mailed link: a form, which `SCRIPT` sends with the link's token to the operation it is for. */
export function writePage({ name, account, language }: PlainPage): string {
  const { title, lead, button, done } = TEXTS[name][language]
  const { incomplete, unreachable, noScript } = COMMON[language]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/pages/page.css">
<script src="/pages/page.js" defer></script>
</head>
<body>
<main>
<h1>${title}</h1>
<form data-operation="${OPERATIONS[name]}" data-account="${account}" data-done="${done}"
  data-incomplete="${incomplete}" data-unreachable="${unreachable}">
<p>${lead}</p>
${fieldsOf(name, language)}
<button>${button}</button>
</form>
<p role="status"></p>
<noscript>${noScript}</noscript>
</main>
</body>
</html>
`
}

function fieldsOf(name: PageName, language: Language): string {
  const { email, password, newPassword, code } = COMMON[language]
  const field = (label: string, attributes: string) => `<label>${label}<input ${attributes}></label>`
  const fields: Record<PageName, string[]> = {
    verify_email: [],
    reset_password: [
      field(
        newPassword,
        'name="password" type="password" autocomplete="new-password" minlength="8" required',
      ),
    ],
    change_email: [
      field(email, 'name="email" type="email" autocomplete="username" required'),
      field(password, 'name="current" type="password" autocomplete="current-password" required'),
      field(code, 'name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}"'),
    ],
  }
  return fields[name].join('\n')
}

/** The token is behind `#`; it leaves the address at once, and so the history. */
export const SCRIPT = `
const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const { operation, account, done, incomplete, unreachable } = form.dataset
const token = new URLSearchParams(location.hash.slice(1)).get('token')
history.replaceState(null, '', location.pathname)

if (!token) {
  form.hidden = true
  status.textContent = incomplete
}

async function post(path, body, bearer) {
  const headers = { 'Content-Type': 'application/json', ...(bearer && { Authorization: 'Bearer ' + bearer }) }
  const response = await fetch('/api/v1' + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const { data, error } = await response.json()
  if (!response.ok) throw new Refusal(error)
  return data
}

class Refusal extends Error {}

async function take({ email, current, code, ...fields }) {
  if (!email) return post(operation, { token, ...fields })
  const login = { email, password: current, account, ...(code && { totp_code: code }) }
  const session = await post('/auth/login', login)
  try {
    await post(operation, { token }, session.access_token)
  } finally {
    await post('/auth/logout', { refresh_token: session.refresh_token })
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  try {
    await take(Object.fromEntries(new FormData(form)))
    form.hidden = true
    status.textContent = done
  } catch (error) {
    status.textContent = error instanceof Refusal ? error.message : unreachable
  } finally {
    button.disabled = false
  }
})
`

export const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; }
main { width: min(26rem, calc(100vw - 3rem)); padding: 2rem 0; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
label { display: block; margin: 1rem 0; }
input, button { box-sizing: border-box; width: 100%; font: inherit; padding: 0.6rem; margin-top: 0.25rem; }
button { cursor: pointer; }
[role=status]:not(:empty) { border-left: 0.25rem solid; padding-left: 1rem; }
`
