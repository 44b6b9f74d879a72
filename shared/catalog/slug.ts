import { newId } from '#shared/platform/db/id.ts'

const MAX_SLUG = 180
const SPELT: Record<string, string> = {
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

/** A text as part of an address: "Étui für 2 Gläser" → `etui-fur-2-glaser`. Empty when it has no Latin letter or digit. */
export const slugify = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => SPELT[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-|-$/g, '')

/**
 * The slug that a name leads to, and one that nothing else can have, for when the first is taken or empty; `kind` stands
 * in for a name without Latin letters.
 */
export function slugCandidates(name: string, kind = 'product'): [plain: string, certain: string] {
  const plain = slugify(name)
  const certain = `${plain || kind}-${newId().slice(-8)}`
  return [plain || certain, certain]
}
