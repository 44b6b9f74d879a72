import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import { AUTHORIZATION_MS } from '#shared/identity-providers/authorization.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'

/**
 * Returns the cookie that binds a started sign-in to its browser, so that an attacker's link cannot sign a person in to
 * the attacker's account. It is the service's only cookie, and is deleted by the callback.
 */
export function browserCookie(authorizationId: string, callbackUrl: string) {
  const isSecure = callbackUrl.startsWith('https:')
  // With this prefix, browsers accept it only from this host over https (RFC 6265bis).
  const name = `${isSecure ? '__Host-' : ''}cx_oauth_${authorizationId}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    set: (secret: string) => `${name}=${secret}; Max-Age=${AUTHORIZATION_MS / SECOND_MS}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    /** Returns the secret; '' if the browser did not send it. */
    read: ({ headers }: RequestInfo): string => {
      const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
      return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
    },
  }
}
