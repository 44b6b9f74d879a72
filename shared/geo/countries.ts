import { iso31661, iso31662 } from 'iso-3166'
import { LRUCache } from 'lru-cache'
import { foldCase } from '#shared/platform/text.ts'

/** A country's subdivision by ISO 3166-2. `parent` is the country or a larger subdivision. */
export interface Zone {
  code: string
  name: string
  parent: string
}

// The standard has no code for Kosovo, but customs, CLDR and payment gateways use XK.
const alpha3 = new Map([
  ...iso31661.map((country) => [country.alpha2, country.alpha3] as const),
  ['XK', 'XKX'],
])

const zones = Map.groupBy(iso31662, ({ code }) => code.slice(0, 2))

/** Every country by its ISO 3166-1 alpha-2 code, in alphabetical order. */
export const COUNTRIES: readonly string[] = [...alpha3.keys()].sort()

export const isCountry = (code: string): boolean => alpha3.has(code)

/** Returns a country's ISO 3166-1 alpha-3 code. */
export const alpha3Of = (country: string): string => alpha3.get(country) ?? ''

/** Returns a country's subdivisions of every level by ISO 3166-2. Empty for an unknown country. */
export const zonesOf = (country: string): readonly Zone[] => zones.get(country) ?? []

export const isZoneOf = (zone: string, country: string): boolean =>
  zonesOf(country).some(({ code }) => code === zone)

/** Returns a zone and the zones that contain it, the smallest first: Paris, Île-de-France. */
export function zoneWithParents(zone: string): string[] {
  const found = zonesOf(zone.slice(0, 2)).find(({ code }) => code === zone)
  return found ? [zone, ...zoneWithParents(found.parent)] : []
}

const namesByLanguage = new LRUCache<string, ReadonlyMap<string, string>>({ max: 20 })

/** Returns the countries' names in a language (BCP 47) by alpha-2 code, sorted by name. */
export function countryNames(language: string): ReadonlyMap<string, string> {
  const names = namesByLanguage.get(language) ?? namesIn(language)
  namesByLanguage.set(language, names)
  return names
}

const codesByLanguage = new LRUCache<string, ReadonlyMap<string, string>>({ max: 20 })

/**
 * Returns the code of a country by its name in a language; undefined for an unknown one. Letter case does not matter.
 */
export function countryNamed(name: string, language: string): string | undefined {
  const codes = codesByLanguage.get(language) ?? codesIn(language)
  codesByLanguage.set(language, codes)
  return codes.get(foldCase(name))
}

// Fold all names once: a file can have a name in each of a million rows. Of two equal names the first one counts.
const codesIn = (language: string): Map<string, string> =>
  new Map([...countryNames(language)].reverse().map(([code, name]) => [foldCase(name), code]))

function namesIn(language: string): Map<string, string> {
  // A store's language is a well-formed tag, but the language may not exist.
  const known = isLanguage(language) ? [language, 'en'] : ['en']
  const names = new Intl.DisplayNames(known, { type: 'region' })
  const { compare } = new Intl.Collator(known)
  return new Map(
    COUNTRIES.map((code): [string, string] => [code, names.of(code) ?? code]).sort(([, a], [, b]) =>
      compare(a, b),
    ),
  )
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
