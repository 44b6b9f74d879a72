import { LRUCache } from 'lru-cache'
import { config } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findPrimaryDomain } from '#shared/stores/domains/store-domain.ts'
import { type Branding, NO_BRANDING } from '#shared/stores/settings/branding.ts'
import { DEFAULT_PATHS, type LinkedPage, type Links, STAFF_PAGES } from '#shared/stores/settings/links.ts'
import type { Store } from '#shared/stores/store.ts'

/** The sender of a mail: a store or the platform. */
export interface Site {
  name: string
  /** The base URL of the store's pages, without a trailing slash. */
  url: string
  /** The base URL of the service, without a trailing slash. */
  serviceUrl: string
  /** Whether `url` is on the store's own domain. */
  hasDomain: boolean
  /** Pages at other URLs. */
  links: Links
  branding: Branding
  /** IANA name. */
  timeZone: string
  language: string
}

/** Returns a link to a path of a store's own pages, on its domain if it has one. */
export function linkToStore(domain: string | null, path: string): string {
  const url = new URL(path, config().PUBLIC_URL)
  if (domain) url.hostname = domain
  return url.href
}

/** Returns the site of a store: on its primary domain if it has one, with the protocol and port of PUBLIC_URL. */
export async function siteOf(store: Store, language: string): Promise<Site> {
  const { origin: serviceUrl } = new URL(config().PUBLIC_URL)
  const url = new URL(serviceUrl)
  const domain = await inStore(store.id, findPrimaryDomain)
  if (domain) url.hostname = domain
  const { name, links, branding, timeZone } = store
  const hasDomain = Boolean(domain)
  return { name, url: url.origin, serviceUrl, hasDomain, links, branding, timeZone, language }
}

/** Returns the site of mails to super-admins. Its name is the service's host name. */
export function platformSite(language: string): Site {
  const { origin, hostname } = new URL(config().PUBLIC_URL)
  return {
    name: hostname,
    url: origin,
    serviceUrl: origin,
    hasDomain: false,
    links: {},
    branding: NO_BRANDING,
    timeZone: 'UTC',
    language,
  }
}

/**
 * Returns a link to a page with a token. The token is in the fragment. Browsers do not send it, so it appears in no
 * server's log and no Referer header.
 */
export const tokenLink = (site: Site, page: LinkedPage, token: string): string =>
  `${site.links[page] ?? baseUrlOf(site, page) + DEFAULT_PATHS[page]}#token=${token}`

// Staff pages are on the service's URL, so that staff who manage domains do not control where others set their
// passwords.
const baseUrlOf = (site: Site, page: LinkedPage): string =>
  STAFF_PAGES.includes(page) ? site.serviceUrl : site.url

/**
 * Returns a link to an order. Null if the store has neither its own page for orders nor a domain, because the built-in
 * page finds the store by its domain. `accessToken` is the token of a guest.
 */
export function orderLink(site: Site, orderId: string, accessToken: string | null): string | null {
  const page = storePage(site, 'order')
  return page && `${page}#order=${orderId}${accessToken ? `&token=${accessToken}` : ''}`
}

/** Returns a link to the page of a subscription; null in the cases of `orderLink`. */
export function subscriptionLink(site: Site, subscriptionId: string): string | null {
  const page = storePage(site, 'subscription')
  return page && `${page}#subscription=${subscriptionId}`
}

const storePage = ({ links, hasDomain, url }: Site, page: 'order' | 'subscription'): string | null =>
  links[page] ?? (hasDomain ? url + DEFAULT_PATHS[page] : null)

// Keep the formats: a mail of 100 lines has 200 amounts, and creating a format takes far longer than using it.
const moneyFormats = new LRUCache<string, Intl.NumberFormat>({ max: 100 })

/** Formats an amount in major units. */
export function formatMoney({ language }: Site, amount: number, currency: string): string {
  const key = `${language} ${currency}`
  const format = moneyFormats.get(key) ?? new Intl.NumberFormat(language, { style: 'currency', currency })
  moneyFormats.set(key, format)
  return format.format(amount)
}

/** Formats a time in the site's language and time zone. */
export const formatTime = (site: Site, time: string): string =>
  new Intl.DateTimeFormat(site.language, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: site.timeZone,
  }).format(new Date(time))

/** Formats the date of a time in the site's language and time zone. */
export const formatDate = ({ language, timeZone }: Site, time: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(new Date(time))
