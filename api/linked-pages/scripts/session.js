import { attempt } from './page-state.js'
import { call } from './service.js'

const form = document.querySelector('#sign-in')
const code = form.querySelector('#code')
let session = null

/** The customer's access token; undefined before the sign-in. */
export const accessToken = () => session?.access_token

/** Shows the form to sign in, and does `work` after it. A failure of `work` closes the session. */
export function signInFor(work) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt(form, async () => {
      await signIn(Object.fromEntries(new FormData(form)))
      form.hidden = true
      try {
        await work()
      } catch (error) {
        form.hidden = false
        await closeSession()
        throw error
      }
    })
  })
}

async function signIn({ email, password, totp_code }) {
  const body = { email, password, account: 'customer', ...(totp_code ? { totp_code } : {}) }
  try {
    session = await call('POST /auth/login', { body })
  } catch (error) {
    if (error.code !== 'auth.totp_required') throw error
    code.hidden = false
    code.querySelector('input').focus()
    throw error
  }
}

/** Closes the session of the page. It lasts no longer than the page is open. */
export async function closeSession() {
  if (!session) return
  const { refresh_token } = session
  session = null
  // Also sent while the page is left.
  await call('POST /auth/logout', { body: { refresh_token }, keepalive: true }).catch(() => {})
}

addEventListener('pagehide', closeSession)
// A page that the browser has kept has no session any more.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
