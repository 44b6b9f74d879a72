import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { slugify } from '../slug.ts'

/** What a file writes as the one choice of a product without options. */
export const DEFAULT_TITLE = 'Default Title'

const MAX_READABLE = 80

/**
 * The SKU of a row that has none, made of its product's slug and its option values: the same row has the same one at
 * every import, and no two rows share one (`classic-varsity-top-small-0d5c1f9a`).
 */
export function generateSku(slug: string, optionValues: (string | null)[]): string {
  const values = optionValues.map((value) => (value === DEFAULT_TITLE ? '' : (value ?? '')))
  const readable = slugify([slug, ...values].join(' ')).slice(0, MAX_READABLE)
  const exact = sha256(JSON.stringify([slug, ...values]))
    .toString('hex')
    .slice(0, 8)
  return `${readable}-${exact}`
}
