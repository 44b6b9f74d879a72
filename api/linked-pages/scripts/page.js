import { call, Refusal } from './service.js'

// The script of the pages with one form: it sends the form to the page's operation. The token is in the fragment, and is
// removed from the URL and the history immediately.

const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const { operation, account, done, incomplete, unreachable } = form.dataset
const token = new URLSearchParams(location.hash.slice(1)).get('token')
history.replaceState(null, '', location.pathname)

if (!token) {
  form.hidden = true
  status.textContent = incomplete
}

async function take({ email, current, code, ...fields }) {
  if (!email) return call(`POST ${operation}`, { body: { token, ...fields } })
  const login = { email, password: current, account, ...(code && { totp_code: code }) }
  const session = await call('POST /auth/login', { body: login })
  try {
    await call(`POST ${operation}`, { token: session.access_token, body: { token } })
  } finally {
    await call('POST /auth/logout', { body: { refresh_token: session.refresh_token } })
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
