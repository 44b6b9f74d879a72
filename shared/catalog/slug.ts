import { newId } from '#shared/platform/db/id.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'

const MAX_SLUG = 180
// Converting a name of a megabyte from a file would block the process. NFKD can turn one character into eighteen.
const MAX_CONVERTED = 1_000
const MAX_DECOMPOSED = 4 * MAX_CONVERTED
const MARKS = /\p{M}/gu
const TRANSLITERATIONS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/**
 * Converts a text to a part of a URL: "Étui für 2 Gläser" → `etui-fur-2-glaser`. Empty if the text has no Latin letter
 * or digit.
 */
export const slugify = (text: string): string =>
  text
    .slice(0, MAX_CONVERTED)
    .toLowerCase()
    // Remove marks twice: before the normalization sorts them in quadratic time, and after it decomposes letters.
    .replace(MARKS, '')
    .normalize('NFKD')
    .slice(0, MAX_DECOMPOSED)
    .replace(MARKS, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => TRANSLITERATIONS[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-|-$/g, '')

/**
 * Returns the plain slug of a name, and a unique slug to use if the plain one is taken or empty. `fallback` replaces a
 * name without Latin letters.
 */
export function slugCandidates(name: string, fallback = 'product'): [plain: string, unique: string] {
  const plain = slugify(name)
  const unique = `${plain || fallback}-${newId().slice(-8)}`
  return [plain || unique, unique]
}

const ASCII = /^\p{ASCII}*$/u

/**
 * Returns the slug of a text. It is the same at every call. If `slugify` loses characters of a very long text or
 * another script, the slug ends with a part of the text's hash: `茶-100g` → `100g-5f0c6a11`.
 */
export function stableSlug(text: string, fallback: string): string {
  const slug = slugify(text)
  const isLossless =
    slug !== '' && text.length <= MAX_SLUG && ASCII.test(text.normalize('NFKD').replace(MARKS, ''))
  return isLossless ? slug : `${slug || fallback}-${sha256(text).toString('hex').slice(0, 8)}`
}
