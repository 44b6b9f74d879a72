import { config } from '#shared/platform/config/config.ts'
import { DEFAULT_PATHS, type LinkedPage, type Links, STAFF_PAGES } from '#shared/stores/links.ts'
import type { Store } from '#shared/stores/store.ts'
import { findPrimaryDomain } from '#shared/stores/store-domain.ts'

/** What a mail says of the store, or the platform, that it comes from. */
export interface Site {
  name: string
  /** Where the store's pages are, without a slash at the end. */
  url: string
  /** The same of the service itself. */
  serviceUrl: string
  /** Pages that are elsewhere. */
  links: Links
  /** IANA name. */
  timeZone: string
  language: string
}

/** The store's side of a mail: its own domain where it has one, at the protocol and port of PUBLIC_URL. */
export async function siteOf(store: Store, language: string): Promise<Site> {
  const { origin: serviceUrl } = new URL(config().PUBLIC_URL)
  const url = new URL(serviceUrl)
  const domain = await findPrimaryDomain(store.id)
  if (domain) url.hostname = domain
  const { name, links, timeZone } = store
  return { name, url: url.origin, serviceUrl, links, timeZone, language }
}

/** The side of a mail to those who run the platform: its name is its address, its time UTC. */
export function platformSite(language: string): Site {
  const { origin, hostname } = new URL(config().PUBLIC_URL)
  return { name: hostname, url: origin, serviceUrl: origin, links: {}, timeZone: 'UTC', language }
}

/**
 * A link to the page that takes a token. The token stands behind `#`, which browsers keep to themselves: it enters no
 * server's log and no Referer.
 */
export const tokenLink = (site: Site, page: LinkedPage, token: string): string =>
  `${site.links[page] ?? homeOf(site, page) + DEFAULT_PATHS[page]}#token=${token}`

// Whoever looks after domains must not thereby say where the staff, the owner among them, choose their passwords.
const homeOf = (site: Site, page: LinkedPage): string =>
  STAFF_PAGES.includes(page) ? site.serviceUrl : site.url

/** A moment as the store's people read it. */
export const toMoment = (site: Site, moment: string): string =>
  new Intl.DateTimeFormat(site.language, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: site.timeZone,
  }).format(new Date(moment))
