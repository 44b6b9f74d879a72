import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { slugify } from '../slug.ts'

const LONGEST_SLUG = 180
const ASCII = /^\p{ASCII}*$/u

/**
 * The slug of a handle or a name, the same at every import. Where a slug cannot tell it from others, because it is
 * very long or in a script that slugs leave out, it ends in a part of its hash: `茶-100g` → `100g-5f0c6a11`.
 */
export function stableSlug(text: string, fallback: string): string {
  const slug = slugify(text)
  const isTold =
    slug !== '' && text.length <= LONGEST_SLUG && ASCII.test(text.normalize('NFKD').replace(/\p{M}/gu, ''))
  return isTold ? slug : `${slug || fallback}-${sha256(text).toString('hex').slice(0, 8)}`
}
