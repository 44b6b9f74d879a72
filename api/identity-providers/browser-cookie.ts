import type { RequestInfo } from '#api/platform/pipeline/operation.ts'
import { AUTHORIZATION_MS } from '#shared/identity-providers/authorization.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'

/**
 * The cookie that ties a sign-in under way to the browser that began it, for nobody shall be signed in to an account
 * that a stranger's link leads to. It is the service's only one, is of use at the callback alone, and ends with it.
 */
export function browserCookie(attemptId: string, callbackUrl: string) {
  const isSecure = callbackUrl.startsWith('https:')
  // With the prefix, browsers take it from this very host alone, and only over https (RFC 6265bis).
  const name = `${isSecure ? '__Host-' : ''}cx_oauth_${attemptId}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    set: (secret: string) => `${name}=${secret}; Max-Age=${AUTHORIZATION_MS / SECOND_MS}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    /** '' when the browser did not send it. */
    read: ({ headers }: RequestInfo): string => {
      const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
      return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
    },
  }
}
