import { config } from '../platform/config.ts'
import { findDomain } from '../stores/find-domain.ts'
import { DEFAULT_PATHS, type LinkedPage, type Links } from '../stores/links.ts'
import type { Store } from '../stores/store.ts'

/** What a mail says of the store it comes from. */
export interface Site {
  name: string
  /** Where the store's pages are, without a slash at the end. */
  url: string
  /** Pages that are elsewhere. */
  links: Links
  /** IANA name. */
  timeZone: string
  language: string
}

/** The store's side of a mail: its own domain where it has one, at the protocol and port of PUBLIC_URL. */
export async function siteOf(store: Store, language: string): Promise<Site> {
  const url = new URL(config().PUBLIC_URL)
  const domain = await findDomain(store.id)
  if (domain) url.hostname = domain
  return { name: store.name, url: url.origin, links: store.links, timeZone: store.timeZone, language }
}

/**
 * A link to the page of the store that takes a token. The token stands behind `#`, which browsers keep to themselves:
 * it enters no server's log and no Referer.
 */
export const tokenLink = (site: Site, page: LinkedPage, token: string): string =>
  `${site.links[page] ?? site.url + DEFAULT_PATHS[page]}#token=${token}`

/** A moment as the store's people read it. */
export const toMoment = (site: Site, moment: string): string =>
  new Intl.DateTimeFormat(site.language, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: site.timeZone,
  }).format(new Date(moment))
