// The link of the mail. Its fragment is removed from the URL and the history immediately. It stays in the tab's own
// storage, so that a reload, and the return from a bank's page, find it again.

const given = location.hash.slice(1)
const answer = new URLSearchParams(location.search).get('redirect_status')
history.replaceState(null, '', location.pathname)
// Another link to the same page changes the fragment only.
addEventListener('hashchange', () => location.reload())

/** What the fragment of the link names, e.g. `order` and `token`. */
export const link = new URLSearchParams(given || readStored())
if (given) store(given)

/** The gateway's `redirect_status` after a redirect; null otherwise, also when a link pretends one. */
export const redirectStatus = given ? null : answer

// A browser that blocks cookies refuses the storage too. The page works without it, but for a reload.
function readStored() {
  try {
    return sessionStorage.getItem(location.pathname) ?? ''
  } catch {
    return ''
  }
}

function store(fragment) {
  try {
    sessionStorage.setItem(location.pathname, fragment)
  } catch {}
}
