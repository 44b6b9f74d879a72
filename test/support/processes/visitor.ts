import { baseUrl } from '#test/support/processes/app.ts'
import { REDIRECT_URL } from '#test/support/processes/identity-provider.ts'
import { assertDescribed } from '#test/support/requests/described.ts'

const API = `${baseUrl}/api/v1`

interface Link {
  provider?: string
  redirectUrl?: string
  query?: Record<string, string>
}

/** A person with a browser that stores each host's cookies and follows redirects one at a time. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>()

  /** Makes one request. Responses of the service are checked against its description. */
  async visit(url: string, form?: Record<string, string>): Promise<Response> {
    const { host } = new URL(url)
    const kept = this.#cookies.get(host) ?? new Map<string, string>()
    this.#cookies.set(host, kept)
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...kept].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) kept.set(name, value)
      else kept.delete(name)
    }
    if (url.startsWith(API))
      assertDescribed('GET', url.slice(API.length), response.status, await bodyOf(response))
    return response
  }

  /** Follows the sign-in page's link and returns the provider's address that it leads to. */
  async begin(
    store: { key: string },
    { provider = 'acme', redirectUrl = REDIRECT_URL, query = {} }: Link = {},
  ) {
    const asked = new URLSearchParams({ redirect_url: redirectUrl, service_key: store.key, ...query })
    return locationOf(await this.visit(`${API}/auth/oauth/${provider}/authorize?${asked}`))
  }

  /** Signs in at the provider (without a person: cancels). Returns the service's address that it redirects to. */
  async signInAt(providerUrl: string, person: { sub: string } | null): Promise<string> {
    let url = locationOf(await this.visit(providerUrl))
    while (!url.startsWith(API)) {
      const isPage = new URL(url).pathname.startsWith('/sign-in/')
      const form = isPage ? { ...(person ? { sub: person.sub } : {}) } : undefined
      url = locationOf(await this.visit(url, form), url)
    }
    return url
  }

  /** Follows the redirect to the service and returns the query that the sign-in page receives. */
  async comeBack(callbackUrl: string): Promise<Record<string, string>> {
    const url = new URL(locationOf(await this.visit(callbackUrl)))
    return Object.fromEntries(url.searchParams)
  }

  /** The whole sign-in. */
  async signIn(
    store: { key: string },
    person: { sub: string } | null,
    link: Link = {},
  ): Promise<Record<string, string>> {
    return this.comeBack(await this.signInAt(await this.begin(store, link), person))
  }
}

/** The target of a redirect; fails with the response's body when it is none. */
export function locationOf(response: Response, base?: string): string {
  const location = response.headers.get('location')
  if (!location) throw new Error(`${response.url} answers ${response.status} and leads nowhere`)
  return new URL(location, base ?? response.url).href
}

/** The address with other parameters in its query. */
export function withParams(address: string, params: Record<string, string | null>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(params)) {
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url.href
}

interface Envelope {
  data: unknown
  meta: unknown
  error_code: string | null
}

const bodyOf = async (response: Response): Promise<Envelope> => (await response.clone().json()) as Envelope
