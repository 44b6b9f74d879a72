/**
 * The script of the pages: it sends the form to the page's operation. The token is in the fragment, and is removed from
 * the URL and the history at once.
 */
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
